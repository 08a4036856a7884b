"""Papers whose texts stand where they are told to, and what is next to what on them."""
from dataclasses import dataclass

from reportlab.pdfbase.pdfmetrics import stringWidth
from reportlab.pdfgen.canvas import Canvas


@dataclass
class Text:
    """A text in a font, with the left end of its baseline, or of its first line's."""
    text: str
    page: int
    x: float
    y: float
    width: float
    lines: int

    def known(self):
        lines = {'lines': self.lines} if self.lines > 1 else {}
        return {'text': self.text, 'page': self.page, 'x': self.x, 'y': self.y,
                'width': round(self.width, 2), **lines}


class Paper:
    def __init__(self, folder, file, size=(612, 792)):
        self.canvas = Canvas(f'{folder}/{file}.pdf', pagesize=size, invariant=1)
        self.page = 1
        self.font = ('Helvetica', 10)
        self.truth = {'file': f'{file}.pdf', 'cases': []}

    def write(self, text, x, y, size=None, font=None, by=None):
        """Draws a text; by words or letters if told so, as some makers of PDFs do."""
        font, size = font or self.font[0], size or self.font[1]
        self.canvas.setFont(font, size)
        parts = {None: [text], 'word': text.split(' '), 'letter': list(text)}[by]
        space = ' ' if by == 'word' else ''
        left = x
        for part in parts:
            self.canvas.drawString(left, y, part)
            left += stringWidth(part + space, font, size)
        return Text(text, self.page, x, y, stringWidth(text, font, size), 1)

    def write_lines(self, lines, x, y, leading=11, **options):
        """A label in several lines, which is read on from line to line."""
        written = [self.write(line, x, y - index * leading, **options) for index, line in enumerate(lines)]
        return Text(' '.join(lines), self.page, x, y, max(line.width for line in written), len(lines))

    def rule(self, x, y, right):
        self.canvas.line(x, y, right, y)

    def box(self, x, y, right, top):
        self.canvas.rect(x, y, right - x, top - y)

    def turn(self):
        self.canvas.showPage()
        self.page += 1

    def place(self, anchor, found, direction, **notes):
        """The text that is meant stands there, in this direction of the anchor."""
        self.truth['cases'].append({
            'anchor': anchor.known(), 'next': found.text, 'direction': direction, **notes,
            'expected': {key: value for key, value in found.known().items() if key != 'text'}})

    def refuse(self, anchor, text, why, **notes):
        """No text is certainly the one that is meant, to the right of the anchor or below it."""
        self.truth['cases'].append({
            'anchor': anchor.known(), 'next': text, 'direction': None, **notes, 'refused': why})

    def save(self):
        self.canvas.save()
        return self.truth
