"""A form whose every entry is chosen (ISO 32000-1, 12.5.6.19 and 12.7), and what is true about it."""
import re

import pikepdf
from pikepdf import Array, Dictionary, Name, String

TYPES = {'Sig': 'signature', 'Tx': 'text', 'Btn': 'checkbox', 'Ch': 'choice'}
LETTER = [0, 0, 612, 792]
PRINT, HIDDEN, NO_VIEW, ANNOTATION_READ_ONLY, LOCKED = 4, 2, 32, 64, 128
READ_ONLY, RADIO, PUSH_BUTTON = 1, 1 << 15, 1 << 16


class Form:
    def __init__(self, file, pages=1):
        self.file = file
        self.pdf = pikepdf.new()
        self.truth = {'file': file, 'tool': 'qpdf', 'fields': []}
        font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.Helvetica)
        self.font = self.pdf.make_indirect(font)
        self.texts = [[] for _ in range(pages)]
        for _ in range(pages):
            self.pdf.add_blank_page(page_size=(612, 792))
        self.pages = [page.obj for page in self.pdf.pages]
        self.root = self.pdf.Root
        self.root.AcroForm = self.pdf.make_indirect(Dictionary(
            Fields=Array(), DA=String('/Helv 0 Tf 0 g'),
            DR=Dictionary(Font=Dictionary(Helv=self.font))))
        self.fields = self.root.AcroForm.Fields

    def expect(self, expected, name, box, why=None, page=1, type='signature', widget=0):
        """What is true about a widget: it's a place; or never one, or refused, and why."""
        known = {'name': name, 'type': type, 'page': page, 'box': box, 'widget': widget,
                 'expected': expected}
        self.truth['fields'].append({**known, 'why': why} if why else known)

    def refuse(self, why):
        """No place of this file is certain."""
        self.truth.update(expected='refused', why=why)

    def write(self, text, x, y, page=1):
        safe = re.sub('[^ -~]', '?', text).replace('\\', '').replace('(', '').replace(')', '')
        self.texts[page - 1].append(f'BT /F1 8 Tf {x} {y} Td ({safe}) Tj ET')

    def make(self, box, page=1, **entries):
        """A widget, on a page unless that's None."""
        widget = self.pdf.make_indirect(Dictionary(
            {'/Type': Name.Annot, '/Subtype': Name.Widget, '/F': PRINT,
             **{f'/{key}': value for key, value in entries.items()}}))
        widget.Rect = Array(box)
        if page is not None:
            widget.P = self.pages[page - 1]
            self.annotate(widget, page)
        return widget

    def annotate(self, widget, page):
        target = self.pages[page - 1]
        if '/Annots' not in target:
            target.Annots = Array()
        target.Annots.append(widget)

    def add(self, name, box, page=1, kind='Sig', **entries):
        """A field that is one dictionary with its only widget."""
        field = self.make(box, page, FT=Name('/' + kind), T=String(name), **entries)
        self.fields.append(field)
        self.write(name, box[0], box[1] - 9, page or 1)
        return field

    def good(self, name='Signature of Buyer', box=(72, 100, 262.5, 124.75), page=1, kind='Sig', **entries):
        """A field with nothing wrong, which is a place."""
        self.expect('place', name, list(box), page=page, type=TYPES[kind])
        return self.add(name, list(box), page, kind, **entries)

    def bad(self, expected, why, name, box, page=1, kind='Sig', type=None, **entries):
        self.expect(expected, name, box, why, page=page, type=type or TYPES[kind])
        return self.add(name, box, page, kind, **entries)

    def parent(self, name=None, kids=(), root=True, **entries):
        field = self.pdf.make_indirect(Dictionary(
            {**({'/T': String(name)} if name is not None else {}), '/Kids': Array(kids),
             **{f'/{key}': value for key, value in entries.items()}}))
        for kid in kids:
            kid.Parent = field
        if root:
            self.fields.append(field)
        return field

    def save(self, folder, **options):
        for page, texts in zip(self.pages, self.texts):
            page.Resources = Dictionary(Font=Dictionary(F1=self.font))
            page.Contents = self.pdf.make_stream('\n'.join(texts).encode())
        self.pdf.save(f'{folder}/{self.file}', static_id=True, **options)
        return self.truth
