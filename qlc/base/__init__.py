"""What every part of qlc uses, and what needs no other part: errors, limits, texts, units, options."""
