"""Where the outputs of this kernel are seen, as far as the kernel can tell.

JupyterLab, Notebook and JupyterHub draw Vega-Lite, and their pages have a theme that an
SVG in Markdown follows. Code hosts and converters take both out of a stored notebook
and show its PNG. Colab and Kaggle show HTML that brings its own scripts.
"""

import os
import sys

JUPYTER = "jupyter"
HOSTED = "hosted"
STORED = "stored"
# What Colab and Kaggle set in each of their kernels.
_HOSTS = ("COLAB_RELEASE_TAG", "COLAB_GPU", "KAGGLE_KERNEL_RUN_TYPE")


def frontend():
    """``JUPYTER`` for a kernel of Jupyter Server, ``HOSTED`` for Colab and Kaggle.

    Otherwise ``STORED``: nbconvert, nbval and others execute a notebook for its file.
    """
    if any(name in os.environ for name in _HOSTS):
        return HOSTED
    if sys.platform == "emscripten":  # JupyterLite: JupyterLab without a server
        return JUPYTER
    # The server names in it the notebook for which it started this kernel.
    return JUPYTER if "JPY_SESSION_NAME" in os.environ else STORED
