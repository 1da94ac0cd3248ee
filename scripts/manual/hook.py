"""What mkdocs does not do by itself: pages and files from outside docs/, and a search that works without a server."""

import json
import os
import pathlib

from mkdocs.structure.files import File

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
ROOT_PAGES = ("CHANGELOG.md", "CONTRIBUTING.md")
MATHJAX = pathlib.Path("/usr/share/javascript/mathjax")
MATHJAX_PARTS = ("MathJax.js", "config/TeX-AMS_SVG.js", "extensions", "jax/element", "jax/input/TeX", "jax/output/SVG/jax.js",
                 "jax/output/SVG/config.js", "jax/output/SVG/autoload", "jax/output/SVG/fonts/TeX")


def files_below(folder, parts=(".",)):
    """Paths of files as seen from the folder."""
    for part in parts:
        place = folder / part
        for path in [place] if place.is_file() else sorted(p for p in place.rglob("*") if p.is_file()):
            yield path.relative_to(folder).as_posix()


def on_files(files, config):
    def add(folder, path, prefix=""):
        file = File(path, str(folder), config["site_dir"], use_directory_urls=False)
        file.src_uri, file.dest_uri, file.url = (prefix + uri for uri in (file.src_uri, file.dest_uri, file.url))
        file.abs_dest_path = os.path.join(config["site_dir"], file.dest_uri)
        files.append(file)

    for page in ROOT_PAGES:
        add(ROOT, page)
    for path in files_below(HERE / "assets"):
        add(HERE / "assets", path, "assets/")
    for path in files_below(MATHJAX, MATHJAX_PARTS):
        add(MATHJAX, path, "assets/mathjax/")
    api = pathlib.Path(os.environ["PICUS_API"])
    for path in files_below(api):
        add(api, path, "api/")
    return files


def on_page_markdown(markdown, page, config, files):
    """Links that leave docs/ in the repository lead to the same page of the manual."""
    for page in ROOT_PAGES:
        markdown = markdown.replace(f"](../{page}", f"]({page}")
    return markdown.replace("](docs/", "](")


def on_post_build(config):
    site = pathlib.Path(config["site_dir"])
    (site / "404.html").unlink()  # of a server
    # Browsers keep a page on disk from reading files beside it; scripts they load. The theme takes both from __search.
    index = (site / "search" / "search_index.json").read_text()
    (worker,) = (site / "assets" / "javascripts" / "workers").glob("search.*.min.js")
    (site / "assets" / "search.js").write_text(
        f"var __search = {{index: Promise.resolve({index}),\n"
        f"  worker: URL.createObjectURL(new Blob([{json.dumps(worker.read_text())}], {{type: 'text/javascript'}}))}};\n")
    for source_map in site.glob("assets/**/*.map"):
        source_map.unlink()
