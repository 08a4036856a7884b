"""Makes the forms whose lines stand in files: pairs of such a file and the PDF to write."""
import sys

from reportlab.pdfgen.canvas import Canvas


def make(lines, pdf):
    rows = [line.split('\t') for line in open(lines, encoding='utf-8').read().split('\n')]
    sizes = [tuple(map(float, words[1:])) for words in rows if words[0] == 'page']
    canvas = Canvas(pdf, pagesize=sizes[0], invariant=1)
    for page in range(1, len(sizes) + 1):
        canvas.setFont('Helvetica', 8)
        for words in rows:
            if words[0] == 'caption' and int(words[1]) == page:
                canvas.drawString(float(words[2]), float(words[3]), words[4])
            if words[0] == 'field' and int(words[3]) == page:
                x, y, right, top = map(float, words[4:])
                # They draw their borders inside of the box.
                if words[1] == 'text':
                    canvas.acroForm.textfield(
                        name=words[2], x=x, y=y, width=right - x, height=top - y,
                        borderWidth=0, fontSize=8, forceBorder=False)
                else:
                    canvas.acroForm.checkbox(name=words[2], x=x, y=y, size=right - x, borderWidth=0)
        canvas.showPage()
    canvas.save()


for lines, pdf in zip(sys.argv[1::2], sys.argv[2::2]):
    make(lines, pdf)
