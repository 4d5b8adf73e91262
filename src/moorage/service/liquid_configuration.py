"""The configuration of the LIQUID service, as the settings name it; apart from it, so that commands start fast."""

from __future__ import annotations

import os

from oslo_config import cfg

from moorage.capacity.configuration_file import load_configuration
from moorage.capacity.model.configuration import Configuration

CONFIGURATION_VARIABLE = "LIQUID_CONFIG_PATH"
"""What other programs that speak LIQUID call the variable that names their configuration file."""


def liquid_configuration(settings: cfg.ConfigOpts) -> Configuration:
    """What to count and how; OperatorError if the file cannot be used."""
    return load_configuration(settings.liquid.config_file or os.environ.get(CONFIGURATION_VARIABLE))
