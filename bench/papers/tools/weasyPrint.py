"""Writes a paper of HTML with WeasyPrint, and prints where its layout has put the characters.

Run: python3 weasyPrint.py INPUT.html OUTPUT.pdf
"""

import json
import sys

from weasyprint import HTML
from weasyprint.formatting_structure.boxes import TextBox
from weasyprint.text.line_break import split_first_line

POINTS = 0.75
HEIGHT = 792


def measure(box, text):
    """The width of the beginning of a text, in pixels, spaced out as its line is."""
    if text == "":
        return 0
    width = split_first_line(text, box.style, None, None, 0)[3]
    return width + text.count(" ") * box.justification_spacing


def read_line(box, page):
    """A line with the places of words; those of the letters in them don't matter."""
    xs = []
    for index in range(len(box.text)):
        begins_word = index == 0 or not (box.text[index - 1].isalnum() and box.text[index].isalnum())
        xs.append((box.position_x + measure(box, box.text[:index])) * POINTS if begins_word else xs[-1])
    baseline = HEIGHT - (box.position_y + box.baseline) * POINTS
    return {"page": page, "text": box.text, "xs": xs, "baselines": [baseline] * len(xs)}


def read_text_boxes(box):
    """Goes through a box, and what's positioned by itself, which is behind a placeholder."""
    box = getattr(box, "_box", box)
    if isinstance(box, TextBox):
        yield box
    for child in getattr(box, "children", ()):
        yield from read_text_boxes(child)


def main(source, target):
    document = HTML(source).render()
    lines = []
    for number, page in enumerate(document.pages, 1):
        lines += [read_line(box, number) for box in read_text_boxes(page._page_box)]
    document.write_pdf(target)
    print(json.dumps(lines))


main(*sys.argv[1:])
