#!/usr/bin/python3
"""What bench_fclib measures, for methods of Siconos (Debian: python3-siconos, python3-h5py, python3-scipy).

    bench/fclib_siconos.py FILES...

A line for each method and each tolerance: CPU time from zero impulses, and the residuals that bench_fclib tells. Siconos asks for
the residual with rho = 1. It gets W as a sparse matrix, its fastest way. Problems in global form are condensed before the time is taken.
"""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # before numpy

import sys
import time

import h5py
import numpy as np
import scipy.sparse
import siconos.numerics as sn

METHODS = {"Gauss-Seidel (NSGS)": (sn.SICONOS_FRICTION_3D_NSGS, 5000),
           "Newton (NSN_AC)": (sn.SICONOS_FRICTION_3D_NSN_AC, 200),
           "proximal (PROX)": (sn.SICONOS_FRICTION_3D_PROX, 100),
           "ADMM": (sn.SICONOS_FRICTION_3D_ADMM, 5000)}


def matrix(group):
    """Dense, of any storage."""
    m, n, nz = (int(group[name][0]) for name in ("m", "n", "nz"))
    p, i, x = (group[name][...] for name in ("p", "i", "x"))
    if nz < 0:
        p = np.repeat(np.arange(len(p) - 1), np.diff(p))
    if nz == -2:
        p, i = i, p
    result = np.zeros((m, n))
    np.add.at(result, (i[:len(p)], p[:len(i)]), x[:len(p)])
    return result


def read(name):
    with h5py.File(name) as file:
        if "fclib_local" in file:
            form = file["fclib_local"]
            return matrix(form["W"]), form["vectors/q"][...], form["vectors/mu"][...]
        form = file["fclib_global"]
        H = matrix(form["H"])
        motion = np.linalg.solve(matrix(form["M"]), np.column_stack((H, form["vectors/f"][...])))
        return H.T @ motion[:, :-1], form["vectors/w"][...] + H.T @ motion[:, -1], form["vectors/mu"][...]


def residual(W, q, mu, r, rho):
    """Of the natural map F = r - P_K(r - rho (u + mu |u_T| e_N)), |F / rho| / |q|."""
    u = (W @ r + q).reshape(-1, 3)
    r = r.reshape(-1, 3)
    v = u.copy()
    v[:, 0] += mu * np.hypot(u[:, 1], u[:, 2])
    x = r - rho[:, None] * v
    length = np.hypot(x[:, 1], x[:, 2])
    slides = (length > mu * x[:, 0]) & (mu * length > -x[:, 0])
    near = np.where((mu * length <= -x[:, 0])[:, None], 0.0, x)
    normal = (x[:, 0] + mu * length) / (1.0 + mu * mu)
    near[slides, 0] = normal[slides]
    near[slides, 1:] = (mu * normal / np.maximum(length, 1e-300))[slides, None] * x[slides, 1:]
    return np.linalg.norm((r - near) / rho[:, None]) / np.linalg.norm(q)


def main():
    print(f"  {'method':<26} {'wanted':>7} {'residual':>9} {'rho = 1':>9} {'CPU time':>12}")
    for name in sys.argv[1:]:
        W, q, mu = read(name)
        sparse = scipy.sparse.csc_matrix(W)
        mass = 3.0 / W.diagonal().reshape(-1, 3).sum(axis=1)
        print(f"{name}: {len(mu)} contacts", flush=True)
        for title, (method, most) in METHODS.items():
            for tolerance in (1e-2, 1e-4, 1e-6, 1e-8, 1e-10):
                problem = sn.FrictionContactProblem(3, len(mu), sparse, q, mu)
                options = sn.SolverOptions(method)
                options.dparam[sn.SICONOS_DPARAM_TOL] = tolerance
                options.iparam[sn.SICONOS_IPARAM_MAX_ITER] = most
                r, u = np.zeros(len(q)), np.zeros(len(q))
                begin = time.process_time()
                sn.fc3d_driver(problem, r, u, options)
                spent = 1e3 * (time.process_time() - begin)
                left = residual(W, q, mu, r, np.ones(len(mu)))
                text = ("-" if not left <= 10.0 * tolerance else "") + f"{residual(W, q, mu, r, mass):.1e}"
                print(f"  {title:<26} {tolerance:7.0e} {text:>9} {left:9.1e} {spent:9.1f} ms"
                      f"  {options.iparam[sn.SICONOS_IPARAM_ITER_DONE]} iterations", flush=True)


if __name__ == "__main__":
    main()
