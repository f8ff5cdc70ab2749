"""The servers that ours is compared with; each does the job of ``bench.job`` and nothing more."""
