"""
Writes scans with recognized text and their truths into a folder: pictures of papers, some of them askew,
shifted or noisy, whose text ocrmypdf recognizes. The truth is where a label stands on the paper, so on the
picture, with how far recognized text may stand from it.
"""
import json
import math
import os
import random
import re
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as xml

import img2pdf
import numpy
import pikepdf
from PIL import Image

from reportlab.pdfbase.pdfmetrics import stringWidth

from paper import Paper, Text

FOLDER = sys.argv[1]
TRUTHS = []
LETTER, LEGAL, A4, LANDSCAPE = (612, 792), (612, 1008), (595, 842), (792, 612)
PARAGRAPH = ['This agreement is made between the parties named below. The parties have read it and',
             'understood it, and each of them has received a copy. It is governed by the law of the',
             'state in which the property stands, and it binds the heirs and assigns of the parties.',
             'Notices under it are given in writing and sent to the addresses that are stated above.']
# What may be read out of specks beside a word.
SIGNS = '‘’“”\'"[]().,:;|'
# In points. Recognized text stands up to 1.1 points from where it is drawn.
TOLERANCE = 3


def draw_signers(paper, *names, x=72, top=420, title='PROMISSORY NOTE', width=1, size=11, step=52):
    """A page with a title, two paragraphs and for each signer a line and labels, which are returned."""
    head = paper.canvas._pagesize[1] - 72
    paper.write(title, x, head, size=15, font='Helvetica-Bold')
    for part in range(2):
        for index, line in enumerate(PARAGRAPH):
            words = line.split(' ')
            paper.write(' '.join(words[:math.ceil(len(words) * width)]), x, head - 40 - 80 * part - 15 * index,
                        size=size - 0.5, font='Times-Roman')
    labels = []
    for index, name in enumerate(names):
        y = top - step * index
        labels.append(paper.write(name, x, y, size=size))
        if width == 1:
            paper.rule(x, y + 15, x + 250)
            paper.rule(x + 300, y + 15, x + 430)
            labels.append(paper.write('Date', x + 300, y, size=size))
    return labels


def turn_point(label, size, degrees, shift):
    """Where a point of the paper stands on its picture, which is turned around its middle, then shifted."""
    middle, angle = [length / 2 for length in size], math.radians(degrees)
    x, y = label.x - middle[0], label.y - middle[1]
    return (middle[0] + x * math.cos(angle) - y * math.sin(angle) + shift[0],
            middle[1] + x * math.sin(angle) + y * math.cos(angle) + shift[1])


def scan(picture, dpi, mode, degrees=0, shift=(0, 0), noise=0, contrast=1.0, seed=1):
    """What a scanner makes of a page."""
    white = 255 if mode == 'L' else (255,) * 3
    picture = picture.convert(mode)
    if degrees:
        picture = picture.rotate(degrees, Image.BICUBIC, fillcolor=white)
    if shift != (0, 0):
        moved = Image.new(mode, picture.size, white)
        moved.paste(picture, (round(shift[0] * dpi / 72), round(-shift[1] * dpi / 72)))
        picture = moved
    values = numpy.asarray(picture).astype(float)
    values = 255 - (255 - values) * contrast
    if contrast < 1:
        values -= 20
    if noise:
        values += numpy.random.default_rng(seed).normal(0, noise, values.shape)
    return Image.fromarray(values.clip(0, 255).astype('uint8'), mode)


def make_pictures(folder, paper, dpi, bilevel, colors, **scanned):
    subprocess.run(['pdftoppm', '-r', str(dpi), '-png', f'{folder}/{paper}', f'{folder}/page'], check=True)
    pictures = sorted(name for name in os.listdir(folder) if name.startswith('page'))
    names = []
    for number, name in enumerate(pictures):
        picture = scan(Image.open(f'{folder}/{name}'), dpi, 'RGB' if colors else 'L', seed=number, **scanned)
        names.append(f'{folder}/scan{number}.{"tif" if bilevel else "jpg"}')
        if bilevel:
            picture.point(lambda value: 255 * (value > 150)).convert('1').save(
                names[-1], compression='group4', dpi=(dpi, dpi))
        else:
            picture.save(names[-1], quality=38, dpi=(dpi, dpi))
    return names


def read_words(pdf):
    """The words of each page as poppler reads them, with the left and lower ends of their boxes."""
    path = f'{pdf}.html'
    subprocess.run(['pdftotext', '-bbox', pdf, path], check=True)
    # Poppler writes signs that XML forbids.
    text = re.sub('[\0-\x08\x0b\x0c\x0e-\x1f]', '', open(path, encoding='utf-8').read())
    os.remove(path)
    space = '{http://www.w3.org/1999/xhtml}'
    return [
        [(word.text, float(word.get('xMin')), float(page.get('height')) - float(word.get('yMax')))
         for word in page.iter(f'{space}word')]
        for page in xml.fromstring(text).iter(f'{space}page')]


def is_recognized(words, text, x, y):
    """Whether the words of a label were recognized as they are, one after the other, at their place."""
    wanted = text.split(' ')
    return any(
        [word.strip(SIGNS) for word, _, _ in words[at:at + len(wanted)]] == wanted
        # The lower end of a box is some points below the baseline.
        and abs(words[at][1] - x) <= TOLERANCE and abs(words[at][2] - y) <= TOLERANCE + 5
        for at in range(len(words)))


def make(file, draw, size=LETTER, dpi=120, bilevel=False, colors=False, options=(),
         turned=None, change=None, refused=None, **scanned):
    """
    Makes a scan of a paper.
    @param draw draws the paper and returns its labels
    @param options of ocrmypdf
    @param turned how far the text is turned in the end, if that isn't how far the picture was
    @param change changes the PDF of pictures before its text is recognized
    @param refused why none of its places is certain
    """
    with tempfile.TemporaryDirectory() as folder:
        paper = Paper(folder, 'paper', size=size)
        labels = draw(paper)
        paper.save()
        names = make_pictures(folder, 'paper.pdf', dpi, bilevel, colors, **scanned)
        with open(f'{folder}/scans.pdf', 'wb') as scans:
            scans.write(img2pdf.convert(names))
        if change:
            change(folder)
        target = f'{FOLDER}/{file}.pdf'
        subprocess.run(['ocrmypdf', '-q', '-l', 'eng', '--jobs', '1', '--output-type', 'pdf', '--optimize', '1',
                        *options, f'{folder}/scans.pdf', target], check=True)
    pages = read_words(target)
    if refused:
        TRUTHS.append({'file': f'{file}.pdf', 'tool': 'ocrmypdf', 'dpi': dpi, 'pages': len(pages), 'refused': refused,
                       'pagesWithoutText': [], 'labels': []})
        return
    degrees = scanned.get('degrees', 0) if turned is None else turned
    known = []
    for label in labels:
        x, y = turn_point(label, size, degrees, scanned.get('shift', (0, 0)))
        known.append({
            'text': label.text, 'page': label.page, 'x': round(x, 2), 'y': round(y, 2),
            'width': round(label.width, 2), 'tolerance': TOLERANCE,
            'recognized': is_recognized(pages[label.page - 1], label.text, x, y)})
    TRUTHS.append({
        'file': f'{file}.pdf', 'tool': 'ocrmypdf', 'dpi': dpi, 'turned': degrees, 'pages': len(pages),
        'pagesWithoutText': [number for number, words in enumerate(pages, 1) if not words], 'labels': known})


def one_page(*names, **drawn):
    return lambda paper: draw_signers(paper, *names, **drawn)


def several_pages(paper):
    labels = draw_signers(paper, 'Borrower Signature', 'Co-Borrower Signature')
    paper.turn()
    labels += draw_signers(paper, 'Borrower Initials', title='ADDENDUM A')
    paper.turn()
    return labels + draw_signers(paper, 'Notary Public', 'Borrower Signature', title='ACKNOWLEDGMENT')


def with_blank_page(paper):
    labels = draw_signers(paper, 'Seller Signature')
    paper.turn()
    paper.turn()
    return labels + draw_signers(paper, 'Buyer Signature', title='COUNTERPART')


def with_photo_page(paper):
    """A page with a picture of a house and no text."""
    canvas = paper.canvas
    canvas.setFillGray(0.8)
    canvas.rect(72, 200, 468, 400, fill=1)
    canvas.setFillGray(0.4)
    canvas.rect(180, 260, 240, 160, fill=1)
    path = canvas.beginPath()
    path.moveTo(160, 420)
    path.lineTo(300, 520)
    path.lineTo(440, 420)
    canvas.drawPath(path, fill=1)
    canvas.setFillGray(0)
    paper.turn()
    return draw_signers(paper, 'Owner Signature', title='PHOTO RELEASE')


def two_columns(paper):
    left = draw_signers(paper, 'Buyer Signature', 'Printed Name', x=54, width=0.45)
    right = draw_signers(paper, 'Seller Signature', 'Printed Name', x=324, width=0.45, title='TERMS')
    return left + right


def with_table(paper):
    labels = []
    paper.write('RECEIPT OF DISCLOSURES', 72, 720, size=15, font='Helvetica-Bold')
    for row, name in enumerate(['Applicant Signature', 'Co-Applicant Signature', 'Loan Officer']):
        y = 600 - 40 * row
        for left, right in [(72, 210), (210, 370), (370, 420), (420, 540)]:
            paper.box(left, y - 14, right, y + 26)
        labels += [paper.write(name, 78, y, size=11), paper.write('Date', 376, y, size=11)]
    return labels


def signed_by_hand(paper):
    labels = draw_signers(paper, 'Trustor Signature', 'Trustee Signature', title='DEED OF TRUST')
    shape = random.Random(5)
    for label in labels[::2]:
        path = paper.canvas.beginPath()
        path.moveTo(label.x + 20, label.y + 22)
        for step in range(1, 9):
            path.curveTo(label.x + 20 + 20 * step, label.y + shape.uniform(16, 45), label.x + 10 + 20 * step,
                         label.y + shape.uniform(16, 45), label.x + 22 + 20 * step, label.y + shape.uniform(18, 34))
        paper.canvas.drawPath(path)
    return labels


def with_colors(paper):
    paper.canvas.setFillColorRGB(0.1, 0.3, 0.6)
    paper.canvas.rect(0, 752, 612, 40, stroke=0, fill=1)
    paper.canvas.setFillGray(0)
    return draw_signers(paper, 'Member Signature', 'Manager Signature', title='OPERATING AGREEMENT')


def add_made_page(folder):
    """A page before the scan that was made as a PDF, so it has text of its own."""
    paper = Paper(folder, 'made')
    paper.write('COVER LETTER', 72, 700, size=15)
    paper.write('Please sign the next page at Borrower Signature.', 72, 660)
    paper.save()
    with pikepdf.open(f'{folder}/scans.pdf', allow_overwriting_input=True) as scans, \
            pikepdf.open(f'{folder}/made.pdf') as made:
        scans.pages.insert(0, made.pages[0])
        scans.save()


def after_made_page(paper):
    labels = draw_signers(paper, 'Borrower Signature', 'Lender Signature')
    for label in labels:
        label.page = 2
    start = 'Please sign the next page at '
    made = Text('Borrower Signature', 1, 72 + stringWidth(start, *paper.font), 660, 0, 1)
    made.width = stringWidth(made.text, *paper.font)
    return [made, *labels]


def turn_sideways(folder):
    """Turns the picture, and the page back, as scanners do that are fed sideways."""
    with pikepdf.open(f'{folder}/scans.pdf', allow_overwriting_input=True) as scans:
        page = scans.pages[0]
        width, height = (float(page.MediaBox[index]) for index in (2, 3))
        page.contents_add(f'q 0 1 -1 0 {height} 0 cm'.encode(), prepend=True)
        page.contents_add(b'Q')
        page.MediaBox = [0, 0, height, width]
        page.Rotate = 90
        scans.save()


def scan_all():
    make('letter-gray-150', one_page('Borrower Signature', 'Co-Borrower Signature'), dpi=150)
    make('letter-gray-100', one_page('Borrower Signature', 'Lender Signature'), dpi=100)
    make('black-and-white', one_page('Grantor Signature', 'Grantee Signature'), dpi=150, bilevel=True)
    make('black-and-white-askew', one_page('Grantor Signature', 'Witness Signature'), dpi=150, bilevel=True, degrees=0.6)
    make('in-color', with_colors, dpi=100, colors=True)
    make('askew-by-half-a-degree', one_page('Borrower Signature', 'Seller Signature'), degrees=0.5)
    make('askew-by-one-degree', one_page('Borrower Signature', 'Seller Signature'), degrees=-1)
    make('askew-by-two-degrees', one_page('Tenant Signature', 'Landlord Signature'), degrees=2)
    make('straightened', one_page('Tenant Signature', 'Landlord Signature'), degrees=1.5, turned=0,
         options=['--deskew'])
    make('noisy', one_page('Buyer Signature', 'Agent Signature'), noise=22)
    make('faint', one_page('Buyer Signature', 'Agent Signature'), contrast=0.45, noise=4, dpi=150)
    make('shifted', one_page('Buyer Signature', 'Agent Signature'), shift=(12, -18))
    make('several-pages', several_pages, dpi=110)
    make('several-pages-in-black', several_pages, dpi=150, bilevel=True)
    make('with-a-blank-page', with_blank_page, dpi=110)
    make('with-a-photo', with_photo_page, dpi=110)
    make('after-a-made-page', after_made_page, options=['--skip-text'], change=add_made_page)
    make('other-text-layer', one_page('Trustee Signature', 'Beneficiary Signature'), options=['--pdf-renderer', 'hocr'])
    make('on-A4', one_page('Vendor Signature', 'Purchaser Signature'), size=A4)
    make('on-legal-paper', one_page('Landlord Signature', 'Tenant Signature', 'Guarantor Signature', top=560), size=LEGAL)
    make('landscape', one_page('Borrower Signature', 'Notary Public', top=300), size=LANDSCAPE)
    make('two-columns', two_columns, dpi=130)
    make('table', with_table, dpi=130)
    signers = ['Borrower Signature', 'Lender Signature', 'Witness Signature', 'Notary Public']
    make('poor', one_page(*signers), dpi=72, noise=20)
    make('small-letters', one_page(*signers, size=9), dpi=72, noise=10)
    make('turned-page', one_page('Borrower Signature', 'Lender Signature'), change=turn_sideways,
         refused='the page is turned')
    make('signed-by-hand', signed_by_hand, dpi=130, degrees=-0.4)


scan_all()
with open(f'{FOLDER}/truth.json', 'w', encoding='utf-8') as file:
    json.dump(TRUTHS, file, indent='\t')
