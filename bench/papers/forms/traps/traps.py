"""Writes forms with traps and their truths into a folder. They're made up entry by entry with qpdf."""
import json
import os
import subprocess
import sys

import pikepdf
from pikepdf import Array, Dictionary, Name, String

from form import (ANNOTATION_READ_ONLY, Form, HIDDEN, LOCKED, NO_VIEW, PRINT, PUSH_BUTTON, RADIO,
                  READ_ONLY)

FOLDER = sys.argv[1]
JARS = sys.argv[2]
HERE = os.path.dirname(os.path.abspath(__file__))
ROWS = [[72, 640 - 60 * row, 252.5, 664.75 - 60 * row] for row in range(8)]
TRUTHS = []


def finish(form, **options):
    TRUTHS.append(form.save(FOLDER, **options))


def hidden():
    form = Form('hidden.pdf')
    form.bad('never', 'hidden', 'Hidden Signature', ROWS[0], F=PRINT | HIDDEN)
    form.bad('never', 'hidden', 'Hidden Date', ROWS[1], kind='Tx', F=HIDDEN)
    form.good()
    finish(form)


def no_view():
    form = Form('no-view.pdf')
    form.bad('never', 'not shown on a screen', 'Signature in Print', ROWS[0], F=PRINT | NO_VIEW)
    form.good('Signature on Screen', ROWS[1], F=0)
    form.good('Locked Signature', ROWS[2], F=PRINT | LOCKED)
    form.good()
    finish(form)


def read_only():
    form = Form('read-only.pdf')
    form.bad('never', 'read only', 'Office Signature', ROWS[0], Ff=READ_ONLY)
    form.bad('never', 'read only', 'Office Date', ROWS[1], kind='Tx', Ff=READ_ONLY)
    # This flag of annotations is ignored for widgets (Table 165).
    form.good('Buyer Signature', ROWS[2], F=PRINT | ANNOTATION_READ_ONLY)
    form.good()
    finish(form)


def zero_size():
    form = Form('zero-size.pdf')
    form.bad('never', 'no size', 'Invisible Signature', [0, 0, 0, 0])
    form.bad('never', 'no width', 'Narrow Signature', [72, 500, 72, 520])
    form.bad('never', 'no height', 'Flat Signature', [72, 440, 252, 440])
    # A rectangle is given by any two opposite corners (7.9.5).
    inverted = form.good('Signature from the Right', ROWS[0])
    inverted.Rect = Array([ROWS[0][index] for index in (2, 3, 0, 1)])
    form.good()
    finish(form)


def on_no_page():
    form = Form('on-no-page.pdf')
    form.bad('never', 'on no page', 'Lost Signature', ROWS[0], page=None)
    removed = form.pdf.make_indirect(Dictionary(
        Type=Name.Page, MediaBox=Array([0, 0, 612, 792]), Parent=form.root.Pages))
    lost = form.bad('never', 'on a page that the document no longer has', 'Signature of a Removed Page',
                    ROWS[1], page=None)
    lost.P = removed
    removed.Annots = Array([lost])
    form.good()
    finish(form)


def filled():
    form = Form('filled.pdf')
    form.bad('never', 'has a value', 'Printed Name', ROWS[0], kind='Tx', V=String('Jane Q. Example'))
    form.bad('never', 'has a value', 'Title', ROWS[1], kind='Tx',
             V=form.pdf.make_stream('Manager and Member'.encode()))
    form.bad('never', 'checked', 'Agree', [72, 520, 84, 532], kind='Btn', V=Name.Yes, AS=Name.Yes)
    form.good('Disagree', (172, 520, 184, 532), kind='Btn', V=Name.Off, AS=Name.Off)
    form.good('Empty Text', ROWS[3], kind='Tx', V=String(''))
    form.good('Default Only', ROWS[4], kind='Tx', DV=String('none'))
    form.truth['fields'][-1]['why'] = 'a default value is what a reset leads to, not a value (Table 220)'
    form.good('Null Value', ROWS[5], V=Name('/Nul'))
    form.good()
    finish(form)
    # qpdf leaves out entries that are null, which other tools write.
    path = f'{FOLDER}/{form.file}'
    with open(path, 'rb') as file:
        written = file.read()
    with open(path, 'wb') as file:
        file.write(written.replace(b'/V /Nul', b'/V null'))


def signed(tool, source):
    """A form that a tool signs with a key made for it."""
    form = Form(f'signed-by-{tool}.pdf')
    form.truth['tool'] = tool
    form.bad('never', 'signed', 'Seller Signature', ROWS[0])
    form.good()
    form.file = f'unsigned-{tool}.pdf'
    finish(form)
    unsigned, target = f'{FOLDER}/{form.file}', f'{FOLDER}/{form.truth["file"]}'
    subprocess.run(['java', '-cp', JARS, f'{HERE}/{source}', unsigned, target, 'Seller Signature'], check=True)
    os.remove(unsigned)


def signed_by_hand():
    form = Form('signature-dictionaries.pdf')
    value = dict(Type=Name.Sig, Filter=Name('/Adobe.PPKLite'), SubFilter=Name('/adbe.pkcs7.detached'),
                 ByteRange=Array([0, 10, 20, 10]), Contents=String(b'\0' * 16))
    form.bad('never', 'signed', 'Direct Value', ROWS[0], V=Dictionary(value_of(value)))
    form.bad('never', 'signed', 'Indirect Value', ROWS[1],
             V=form.pdf.make_indirect(Dictionary(value_of(value))))
    without_type = {key: entry for key, entry in value.items() if key != 'Type'}
    form.bad('never', 'signed', 'Value without Type', ROWS[2], V=Dictionary(value_of(without_type)))
    kid = form.make(ROWS[3])
    form.write('Value of the Field', 72, ROWS[3][1] - 9)
    form.parent('Value of the Field', [kid], FT=Name.Sig, V=Dictionary(value_of(value)))
    form.expect('never', 'Value of the Field', ROWS[3], 'signed')
    seed = form.good('Seed Value Only', ROWS[4])
    seed.SV = Dictionary(Type=Name.SV)
    seed.Lock = Dictionary(Type=Name.SigFieldLock, Action=Name.All)
    form.good()
    finish(form)


def value_of(entries):
    return {f'/{key}': entry for key, entry in entries.items()}


def rotated():
    form = Form('rotated-pages.pdf', 4)
    for page, degrees in enumerate([90, 180, -90], 1):
        form.pages[page - 1].Rotate = degrees
        form.bad('refused', f'the page is turned by {degrees % 360} degrees', f'Signature {page}', ROWS[page], page)
    form.pages[3].Rotate = 360
    form.good('Signature 4', ROWS[4], 4)
    finish(form)


def rotated_by_parent():
    form = Form('rotated-by-its-parent.pdf')
    form.bad('refused', 'the page inherits a turn by 270 degrees', 'Signature', ROWS[0])
    form.root.Pages.Rotate = 270
    finish(form)


def scaled():
    form = Form('scaled-page.pdf', 2)
    form.pages[0].UserUnit = 2
    form.bad('refused', 'a unit of the page is 1/36 inch', 'Plan Signature', ROWS[0])
    form.pages[1].UserUnit = 1
    form.good('Signature', ROWS[1], 2)
    finish(form)


def cropped():
    form = Form('cropped-pages.pdf', 5)
    form.pages[0].CropBox = Array([36, 36, 576, 756])
    form.bad('refused', 'the page is cropped on the left and below', 'Signature 1', ROWS[0])
    form.pages[1].MediaBox = Array([-20, -30, 592, 762])
    form.bad('refused', 'the page begins at -20, -30', 'Signature 2', ROWS[1], 2)
    form.pages[2].MediaBox = Array([0, 0, 621, 801])
    form.pages[2].CropBox = Array([0, 0, 612, 792])
    form.good('Signature 3', ROWS[2], 3)
    form.pages[3].CropBox = Array([0, 0, 612, 792])
    form.good('Signature 4', ROWS[3], 4)
    form.bad('refused', 'partly outside of the page', 'Signature 5', [500, 300, 660, 324], 5)
    form.bad('refused', 'outside of the page', 'Signature 6', [700, 300, 860, 324], 5)
    finish(form)


def inherited():
    form = Form('inherited-entries.pdf')
    buyer = form.make(ROWS[0], T=String('Buyer'))
    seller = form.make(ROWS[1], T=String('Seller'))
    form.parent('Signatures', [buyer, seller], FT=Name.Sig)
    office = form.make(ROWS[2], T=String('Clerk'))
    own = form.make(ROWS[3], T=String('Applicant'), Ff=0)
    form.parent('Office', [office, own], FT=Name.Tx, Ff=READ_ONLY)
    named = form.make(ROWS[4], T=String('Name'))
    inner = form.parent('Inner', [named], root=False)
    form.parent('Filled', [inner], FT=Name.Tx, V=String('Jane Q. Example'))
    # A kid without a name is a widget of its parent, however deep (12.7.3.2).
    deep = form.parent(None, [form.make(ROWS[5])], root=False)
    form.parent('Nameless Kids', [deep], FT=Name.Sig)
    form.expect('place', 'Signatures.Buyer', ROWS[0])
    form.expect('place', 'Signatures.Seller', ROWS[1])
    form.expect('never', 'Office.Clerk', ROWS[2], 'inherits that it is read only', type='text')
    form.expect('place', 'Office.Applicant', ROWS[3], type='text')
    form.expect('never', 'Filled.Inner.Name', ROWS[4], 'inherits a value', type='text')
    form.expect('place', 'Nameless Kids', ROWS[5])
    for row, text in enumerate(['Buyer', 'Seller', 'Clerk', 'Applicant', 'Name', 'Nameless']):
        form.write(text, 72, ROWS[row][1] - 9)
    finish(form)


def encoded_names():
    form = Form('encoded-names.pdf')
    names = [
        ('Käufer – Unterschrift', b'<' + b'\xfe\xff'.hex().encode() + 'Käufer – Unterschrift'.encode('utf-16-be').hex().encode() + b'>'),
        # PDFDocEncoding: 0x90 is the right single quotation mark, 0x85 a dash (D.2).
        ('Buyer’s Signature — 1', b'(Buyer\x90s Signature \x84 1)'),
        ('買主 𠮷野', b'<' + b'\xfe\xff'.hex().encode() + '買主 𠮷野'.encode('utf-16-be').hex().encode() + b'>'),
        # Escapes of literal strings (7.3.4.2).
        ('Signature (1) \\ A', rb'(Signature \0501\051 \\ \101)'),
        ('Initials  2', b'(Initials \\\n 2)'),
        ('Date (signed)', b'(Date (signed))'),
    ]
    for row, (name, written) in zip(ROWS, names):
        form.good('?', row).T = pikepdf.Object.parse(written)
        form.truth['fields'][-1]['name'] = name
    finish(form)


def duplicates():
    form = Form('duplicate-names.pdf', 2)
    why = 'another field has the same name'
    form.bad('refused', why, 'Signature', ROWS[0])
    form.bad('refused', why, 'Signature', ROWS[1])
    form.bad('refused', why, 'Signature', ROWS[0], 2)
    form.good('Date', ROWS[2], kind='Tx')
    # The same full name in two trees.
    for row in (3, 4):
        form.parent('Buyer', [form.make(ROWS[row], T=String('Initials'))], FT=Name.Sig)
        form.expect('refused', 'Buyer.Initials', ROWS[row], why)
    form.good()
    finish(form)


def without_page():
    form = Form('widgets-without-P.pdf', 3)
    for page in (1, 2):
        widget = form.good(f'Signature {page}', ROWS[page], page)
        del widget.P
    # The annotations of a page say what it shows.
    wrong = form.good('Signature 3', ROWS[3], 3)
    wrong.P = form.pages[0]
    number = form.good('Signature 4', ROWS[4], 3)
    number.P = 7
    form.good()
    finish(form)


def not_in_fields():
    form = Form('widget-not-in-Fields.pdf')
    form.good('Stray Signature', ROWS[0])
    del form.fields[len(form.fields) - 1]
    form.truth['fields'][-1]['why'] = 'viewers show it, and its name, type and box are its own'
    kid = form.make(ROWS[1])
    form.parent('Stray Parent', [kid], root=False, FT=Name.Sig)
    form.expect('place', 'Stray Parent', ROWS[1], 'the field is found as the parent of its widget')
    form.good()
    finish(form)


def not_in_annotations():
    form = Form('field-not-in-Annots.pdf', 2)
    for page in (1, 2):
        lost = form.bad('never', 'no page has it among its annotations', f'Lost Signature {page}', ROWS[page], None)
        lost.P = form.pages[page - 1]
    kids = [form.make(ROWS[3]), form.make(ROWS[4], None), form.make(ROWS[5], 2)]
    kids[1].P = form.pages[0]
    form.parent('Initials', kids, FT=Name.Sig)
    form.expect('place', 'Initials', ROWS[3])
    form.expect('never', 'Initials', ROWS[4], 'no page has it among its annotations', widget=1)
    form.expect('place', 'Initials', ROWS[5], page=2, widget=2)
    form.good()
    finish(form)


def circular():
    form = Form('circular-kids.pdf')
    form.good()
    inner = form.parent('Inner', [], root=False)
    outer = form.parent('Outer', [inner])
    inner.Kids.append(outer)
    itself = form.parent('Itself', [])
    itself.Kids.append(itself)
    itself.Parent = itself
    # Its parents go round, so it has no full name.
    lost = form.make(ROWS[0], T=String('Signature'), FT=Name.Sig)
    ring = form.parent('Ring', [lost], FT=Name.Sig)
    ring.Parent = ring
    form.expect('refused', 'Ring.Signature', ROWS[0], 'its parents go round in a circle')
    form.write('Signature', 72, ROWS[0][1] - 9)
    finish(form)


TEMPLATE = '''<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/"><template xmlns="http://www.xfa.org/schema/xfa-template/3.0/">
<subform name="form1" layout="{layout}"><pageSet><pageArea name="Page1"><contentArea w="8.5in" h="11in"/><medium stock="letter"/></pageArea></pageSet>
<field name="Signature" x="1in" y="{y}in" w="2.5in" h="0.34in"><ui><signature/></ui></field></subform></template></xdp:xdp>'''


def xfa_hybrid():
    form = Form('xfa-hybrid.pdf')
    form.good('form1[0].Signature[0]', ROWS[0])
    field = form.fields[0]
    del form.fields[0]
    field.T = String('Signature[0]')
    form.parent('form1[0]', [field])
    # The template says another place than the form, which is what viewers without XFA show.
    form.root.AcroForm.XFA = form.pdf.make_stream(TEMPLATE.format(layout='position', y=5).encode())
    finish(form)


def xfa_static():
    form = Form('xfa-static.pdf')
    form.good('form1[0].Signature[0]', ROWS[0])
    field = form.fields[0]
    del form.fields[0]
    field.T = String('Signature[0]')
    form.parent('form1[0]', [field])
    template = TEMPLATE.format(layout='position', y=1.77)
    start = template.index('<template')
    end = template.index('</xdp:xdp>')
    parts = [('preamble', template[:start]), ('template', template[start:end]), ('postamble', template[end:])]
    form.root.AcroForm.XFA = Array([
        item for name, text in parts for item in (String(name), form.pdf.make_stream(text.encode()))])
    finish(form)


def xfa_dynamic():
    form = Form('xfa-dynamic.pdf')
    form.write('Please wait...', 72, 700)
    form.write('If this message is not replaced, your viewer cannot show this form.', 72, 680)
    form.root.NeedsRendering = True
    form.root.AcroForm.XFA = form.pdf.make_stream(TEMPLATE.format(layout='tb', y=5).encode())
    form.refuse('its pages are made by a viewer from XFA: the file has no places')
    finish(form)


def buttons():
    form = Form('buttons-and-lists.pdf')
    form.bad('never', 'a push button', 'Sign Here', ROWS[0], kind='Btn', type='button', Ff=PUSH_BUTTON,
             MK=Dictionary(CA=String('Sign Here')))
    on, off = (Dictionary(N=Dictionary({name: form.pdf.make_stream(b''), '/Off': form.pdf.make_stream(b'')}))
               for name in ('/Yes', '/No'))
    kids = [form.make([72, 560, 84, 572], AS=Name.Off, AP=on), form.make([132, 560, 144, 572], AS=Name.Off, AP=off)]
    form.parent('Married', kids, FT=Name.Btn, Ff=RADIO)
    for index, kid in enumerate(kids):
        form.expect('never', 'Married', [float(value) for value in kid.Rect], 'a radio button', type='radio', widget=index)
    form.bad('never', 'a list', 'State', ROWS[2], kind='Ch', Ff=1 << 17, Opt=Array([String('CA'), String('NV')]))
    form.good()
    finish(form)


def no_names():
    form = Form('fields-without-names.pdf')
    form.bad('never', 'the field has no name', '', ROWS[0])
    del form.fields[0]['/T']
    form.bad('never', 'the field has no name', '', ROWS[1])
    typeless = form.bad('never', 'the field has no type', 'No Type', ROWS[2], type='none')
    del typeless['/FT']
    link = form.pdf.make_indirect(Dictionary(
        Type=Name.Annot, Subtype=Name.Link, Rect=Array(ROWS[3]), T=String('Signature'), FT=Name.Sig))
    form.annotate(link, 1)
    form.good()
    finish(form)


def encrypted():
    form = Form('encrypted-with-empty-password.pdf')
    form.good("Buyer's Signature", ROWS[0])
    form.good('Unterschrift Käufer', ROWS[1])
    form.good()
    finish(form, encryption=pikepdf.Encryption(owner='owner', user='', R=6))


def updated():
    """A later part of the file moves a field and fills in another (7.5.6)."""
    form = Form('updated-file.pdf')
    moved = form.good('Moved Signature', ROWS[0])
    form.bad('never', 'filled in by an update', 'Printed Name', ROWS[1], kind='Tx')
    form.good()
    form.truth['fields'][0]['box'] = ROWS[3]
    finish(form, object_stream_mode=pikepdf.ObjectStreamMode.disable, qdf=True)
    path = f'{FOLDER}/{form.file}'
    saved = pikepdf.open(path)
    objects = [(field.objgen[0], field) for field in list(saved.Root.AcroForm.Fields)[:2]]
    objects[0][1].Rect = Array(ROWS[3])
    objects[1][1].V = String('Jane Q. Example')
    with open(path, 'rb') as file:
        original = file.read()
    start = int(original.rsplit(b'startxref', 1)[1].split()[0])
    update, offsets = original, {}
    for number, changed in objects:
        offsets[number] = len(update)
        update += b'%d 0 obj\n%s\nendobj\n' % (number, changed.unparse(resolved=True))
    trailer = len(update)
    update += b'xref\n' + b''.join(b'%d 1\n%010d 00000 n \n' % pair for pair in sorted(offsets.items()))
    update += b'trailer\n<< /Size %d /Root %d 0 R /Prev %d >>\nstartxref\n%d\n%%%%EOF\n' % (
        int(saved.trailer.Size), saved.trailer.Root.objgen[0], start, trailer)
    saved.close()
    with open(path, 'wb') as file:
        file.write(update)


def indirect():
    form = Form('everything-indirect.pdf')
    for index, row in enumerate(ROWS[:3], 1):
        form.good(f'Signature {index}', row)
    for field in form.fields:
        for key in list(field.keys()):
            if key not in ('/P', '/Type', '/Subtype'):
                field[key] = form.pdf.make_indirect(field[key])
        field.Rect = form.pdf.make_indirect(Array([form.pdf.make_indirect(value) for value in field.Rect]))
    form.pages[0].Annots = form.pdf.make_indirect(form.pages[0].Annots)
    form.root.AcroForm.Fields = form.pdf.make_indirect(form.root.AcroForm.Fields)
    finish(form, object_stream_mode=pikepdf.ObjectStreamMode.generate)


for make in [hidden, no_view, read_only, zero_size, on_no_page, filled, signed_by_hand, rotated,
             rotated_by_parent, scaled, cropped, inherited, encoded_names, duplicates, without_page,
             not_in_fields, not_in_annotations, circular, xfa_hybrid, xfa_static, xfa_dynamic, buttons,
             no_names, encrypted, updated, indirect]:
    make()
signed('pdfbox', 'SignWithPdfBox.java')
signed('itext', 'SignWithIText.java')
with open(f'{FOLDER}/truth.json', 'w', encoding='utf-8') as file:
    json.dump(TRUTHS, file, indent='\t', ensure_ascii=False)
    file.write('\n')
