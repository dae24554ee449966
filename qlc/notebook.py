from qlc import load_ipython_extension  # noqa: F401
