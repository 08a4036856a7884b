"""Draws papers with ReportLab. Run: python3 reportLab.py SHEETS.json OUTPUT.pdf

A third argument is the folder of a TrueType font of the same widths, whose part that's used is put in.
"""

import json
import sys

from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas


def draw_text(canvas, mark, fonts):
    text = canvas.beginText()
    font = fonts.get(mark["font"], mark["font"])
    text.setFont(font, mark["size"])
    text.setCharSpace(mark.get("spacing", 0))
    canvas.saveState()
    canvas.translate(mark["x"], mark["y"])
    canvas.rotate(mark.get("angle", 0))
    text.setTextOrigin(0, 0)
    words = mark["text"].split(" ")
    if mark.get("word", 0):
        # With fonts of two bytes, the operator for spaces between words does nothing.
        x = 0
        for word in words:
            text.setTextOrigin(x, 0)
            text.textOut(word)
            x += pdfmetrics.stringWidth(word + " ", font, mark["size"]) + mark["word"]
    else:
        text.textOut(mark["text"])
    canvas.drawText(text)
    canvas.restoreState()


def draw_mark(canvas, mark, fonts):
    if "line" in mark:
        canvas.line(*mark["line"])
    elif "box" in mark:
        canvas.rect(*mark["box"], fill=int(mark["isFilled"]))
    elif "field" in mark:
        value = mark["field"].replace("’", "'")  # Values are in Latin 1.
        canvas.acroForm.textfield(
            name=f"{value} {mark['x']} {mark['y']}", value=value, x=mark["x"], y=mark["y"],
            width=mark["width"], height=mark["height"], fontName="Helvetica", fontSize=mark["size"],
            borderWidth=0, fillColor=None, borderColor=None,
        )
    else:
        draw_text(canvas, mark, fonts)


def main(source, target, folder=None):
    fonts = {}
    if folder is not None:
        for name, file in {"Times-Roman": "Regular", "Times-Bold": "Bold"}.items():
            pdfmetrics.registerFont(TTFont("Own " + file, f"{folder}/LiberationSerif-{file}.ttf"))
            fonts[name] = "Own " + file
    canvas = Canvas(target, pagesize=(612, 792), pageCompression=1, invariant=1)
    for sheet in json.load(open(source)):
        change = sheet.get("change")
        canvas.setPageRotation(90 if change == "rotated" else 0)
        canvas.setCropBox((18, 18, 594, 774) if change == "cropped" else None)
        for mark in sheet["marks"]:
            draw_mark(canvas, mark, fonts)
        canvas.showPage()
    canvas.save()


main(*sys.argv[1:])
