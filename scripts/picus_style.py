"""How the figures of the project look."""

INK = "#2b2d33"
GRID = "#d9dbe0"
COLOURS = ["#1f4e79", "#d9722b", "#3a8f6b", "#8a4f9e", "#b23a48", "#6d6f76", "#c2a01f", "#3f9fbf"]
STICK, SLIP = "#3a8f6b", "#d9722b"
STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.edgecolor": INK,
    "axes.labelcolor": INK,
    "axes.linewidth": 0.7,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.grid": True,
    "axes.titlesize": 9,
    "grid.color": GRID,
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.1,
    "xtick.color": INK,
    "ytick.color": INK,
    "text.color": INK,
    "text.parse_math": False,  # names of quantities are no formulas
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.fonttype": "none",
}
