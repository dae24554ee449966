"""Questions written as notes: `status breakdown lyon`, `downtime per shift sum`, `lowest fee permit`."""

from __future__ import annotations

from qlc.translator.rules.words.phrases import words

_EXTREMES = words("highest lowest largest smallest biggest greatest longest shortest")


FORMS = ()
