"""What the documents need of curl, for machines that have none."""

import argparse
import sys
import urllib.request

parser = argparse.ArgumentParser()
parser.add_argument("url")
for flag in "sSN":  # silent but for mistakes, and unbuffered: as it is anyway
    parser.add_argument(f"-{flag}", action="store_true")
parser.add_argument("-H", dest="headers", action="append", default=[])
parser.add_argument("-d", dest="data")
wanted = parser.parse_args()
headers = dict(header.split(": ", 1) for header in wanted.headers)
content = wanted.data.encode() if wanted.data is not None else None
with urllib.request.urlopen(urllib.request.Request(wanted.url, content, headers), timeout=60) as answer:
    sys.stdout.buffer.write(answer.read())
