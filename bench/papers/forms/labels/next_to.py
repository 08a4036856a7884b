"""
Writes papers and their truths into a folder, for "the next Date to the right of, or below, Borrower
Signature": the nearest one on the line of the anchor, to its right; else the nearest one below it, in
the block of the anchor: in its column, and before a wide gap, a heading or the next signer. Two at the same
distance, and none there, are refused.
"""
import json
import sys

from paper import Paper

FOLDER = sys.argv[1]
TRUTHS = []
FILLER = ['The parties have read this agreement and sign it of their own free will. Each of them has',
          'received a copy. Notices are given in writing to the addresses that stand above.']


def begin(file, title='AGREEMENT', **options):
    paper = Paper(FOLDER, file, **options)
    add_heading(paper, title)
    return paper


def add_heading(paper, title, y=740):
    paper.write(title, 72, y, size=14, font='Helvetica-Bold')
    for index, line in enumerate(FILLER):
        paper.write(line, 72, y - 24 - 13 * index)


def finish(paper):
    TRUTHS.append(paper.save())


def add_line(paper, label, x, y, right, **options):
    """A label and the line after it."""
    text = paper.write(label, x, y, **options)
    paper.rule(x + text.width + 4, y - 2, right)
    return text


def add_caption(paper, label, x, y, right, **options):
    """A line and the caption below it."""
    paper.rule(x, y + 10, right)
    return paper.write(label, x, y, **options)


def on_one_line():
    paper = begin('on-one-line')
    anchor = add_line(paper, 'Borrower Signature', 72, 600, 340)
    paper.place(anchor, add_line(paper, 'Date', 360, 600, 500), 'right')
    finish(paper)


def captions_below():
    paper = begin('captions-below-lines')
    for y, name in [(600, 'Borrower Signature'), (540, 'Lender Signature')]:
        anchor = add_caption(paper, name, 72, y, 330, size=8)
        paper.place(anchor, add_caption(paper, 'Date', 360, y, 500, size=8), 'right')
    finish(paper)


def below():
    paper = begin('date-below')
    anchor = add_line(paper, 'Borrower Signature', 72, 600, 340)
    add_line(paper, 'Printed Name', 72, 576, 340)
    paper.place(anchor, add_line(paper, 'Date', 72, 552, 340), 'below')
    finish(paper)


def two_signers():
    paper = begin('two-signers-in-rows')
    for y, name in [(600, 'Borrower Signature'), (560, 'Co-Borrower Signature')]:
        anchor = add_line(paper, name, 72, y, 340)
        notes = {'notInside': 'Co-Borrower Signature'} if name.startswith('B') else {}
        paper.place(anchor, add_line(paper, 'Date', 360, y, 500), 'right', **notes)
    finish(paper)


def columns_below():
    paper = begin('two-columns-below')
    for x, name in [(72, 'Buyer Signature'), (330, 'Seller Signature')]:
        anchor = add_line(paper, name, x, 600, x + 220)
        add_line(paper, 'Printed Name', x, 574, x + 220)
        paper.place(anchor, add_line(paper, 'Date', x, 548, x + 220), 'below')
    finish(paper)


def columns_right():
    paper = begin('two-columns-right')
    for y, names in [(600, ['Buyer 1 Signature', 'Seller 1 Signature']), (550, ['Buyer 2 Signature', 'Seller 2 Signature'])]:
        for x, name in zip([54, 320], names):
            anchor = add_caption(paper, name, x, y, x + 140, size=8)
            paper.place(anchor, add_caption(paper, 'Date', x + 160, y, x + 240, size=8), 'right')
    finish(paper)


def columns_crossing():
    paper = begin('two-columns-crossing')
    paper.canvas.line(306, 660, 306, 480)
    anchor = add_line(paper, 'Borrower Signature', 72, 600, 290)
    own = add_line(paper, 'Date', 72, 576, 290)
    add_line(paper, 'Lender Signature', 322, 624, 540)
    other = add_line(paper, 'Date', 322, 600, 540)
    paper.place(anchor, own, 'below', orRefused='a Date of the other column stands on its line',
                never=[{'page': other.page, 'x': other.x, 'y': other.y}])
    finish(paper)


def columns_of_text():
    """Two columns of text, of which the left one ends with a signature and the right one begins anew."""
    paper = begin('two-columns-of-text')
    words = 'the borrower agrees to pay the note and all costs of it on the day'
    for x in (54, 320):
        for index in range(12):
            paper.write(words[:44], x, 640 - 13 * index, size=10)
    left = add_line(paper, 'Borrower Signature', 54, 460, 290)
    left_date = add_line(paper, 'Date', 54, 434, 290)
    right = add_line(paper, 'Witness Signature', 320, 466, 556)
    right_date = add_line(paper, 'Date', 320, 440, 556)
    paper.place(left, left_date, 'below')
    paper.place(right, right_date, 'below')
    finish(paper)


def same_distance():
    paper = begin('same-distance-below')
    anchor = paper.write('Signature', 280, 600)
    middle = anchor.x + anchor.width / 2
    left = paper.write('Date', 200, 576)
    paper.write('Date', 2 * middle - left.x - left.width, 576)
    paper.refuse(anchor, 'Date', 'two stand below it, at the same distance to the left and right')
    # Both stand under the anchor, as far from its ends.
    wide = paper.write('Signature of the Borrower or of the Agent of the Borrower', 180, 480)
    for x in (wide.x + 30, wide.x + wide.width - 30 - left.width):
        paper.write('Date', x, 456)
    paper.refuse(wide, 'Date', 'two stand below it, at the same distance to its ends')
    finish(paper)


def same_distance_right():
    paper = begin('same-distance-of-two-lines')
    anchor = paper.write_lines(['Signature of', 'U.S. person'], 72, 600)
    for y in (600, 589):
        paper.write('Date', 360, y)
    paper.refuse(anchor, 'Date', 'two stand on the lines of the anchor, at the same distance')
    finish(paper)


def another_block():
    paper = begin('only-in-another-block')
    anchor = add_line(paper, 'Borrower Signature', 72, 600, 340)
    add_line(paper, 'Printed Name', 72, 576, 340)
    add_heading(paper, 'NOTARY', 440)
    add_line(paper, 'Notary Signature', 72, 360, 340)
    add_line(paper, 'Date', 72, 336, 340)
    paper.refuse(anchor, 'Date', 'the only one below stands in the block of the notary, under a heading')
    finish(paper)


def next_page():
    paper = begin('only-on-the-next-page')
    anchor = add_line(paper, 'Borrower Signature', 72, 60, 340)
    paper.turn()
    add_line(paper, 'Date', 72, 740, 340)
    paper.refuse(anchor, 'Date', 'the only one stands on the next page')
    finish(paper)


def two_lines():
    paper = begin('label-in-two-lines', 'REQUEST FOR TAXPAYER NUMBER')
    paper.write_lines(['Sign', 'Here'], 54, 600, font='Helvetica-Bold', size=12, leading=13)
    anchor = paper.write_lines(['Signature of', 'U.S. person'], 110, 600, size=8, leading=9)
    paper.place(anchor, paper.write('Date', 400, 591, size=8), 'right')
    finish(paper)


def two_lines_below():
    paper = begin('labels-in-two-lines-below', 'DECLARATION')
    for x, number in [(72, 1), (330, 2)]:
        paper.rule(x, 612, x + 200)
        anchor = paper.write_lines(['Signature of', f'Debtor {number}'], x, 600)
        paper.place(anchor, paper.write_lines(['Executed', 'on'], x, 560), 'below')
    finish(paper)


def two_lines_not_joined():
    """Words that follow each other in two blocks are no label."""
    paper = begin('two-lines-of-two-blocks')
    label = paper.write_lines(['Signature of', 'Trustee'], 72, 600)
    paper.place(label, paper.write('Date', 360, 600), 'right')
    upper = paper.write('Signature of', 72, 480)
    paper.write('U.S. person', 330, 469)
    paper.write('Date', 360, 480)
    upper.text, upper.lines = 'Signature of U.S. person', 2
    paper.refuse(upper, 'Date', 'the two lines stand in different columns, so they are no label')
    finish(paper)


def uneven_line():
    paper = begin('uneven-lines')
    for y, offset in [(600, 1.5), (540, -2)]:
        anchor = add_line(paper, 'Borrower Signature' if offset > 0 else 'Seller Signature', 72, y, 340)
        paper.place(anchor, add_line(paper, 'Date', 360, y + offset, 500), 'right')
    finish(paper)


def left_of_it():
    paper = begin('date-on-the-left')
    for y, name in [(600, 'Borrower Signature'), (560, 'Lender Signature')]:
        add_line(paper, 'Date', 72, y, 180)
        anchor = add_line(paper, name, 220, y, 500)
        paper.refuse(anchor, 'Date', 'the one on its line stands to the left; the others are of other signers')
    finish(paper)


def longer_labels():
    paper = begin('longer-labels-between')
    anchor = add_line(paper, 'Borrower Signature', 54, 600, 250)
    add_line(paper, 'Date of Birth', 256, 600, 400)
    paper.place(anchor, add_line(paper, 'Date', 410, 600, 540), 'right', nextNotInside='Date of Birth')
    second = add_line(paper, 'Seller Signature', 54, 550, 250)
    add_line(paper, 'Updated', 256, 550, 400)
    paper.place(second, add_line(paper, 'Date', 410, 550, 540), 'right')
    finish(paper)


def table():
    paper = begin('table-with-cells')
    for row, name in enumerate(['Buyer Signature', 'Seller Signature', 'Broker Signature']):
        y = 600 - 30 * row
        for left, right in [(72, 170), (170, 340), (340, 390), (390, 520)]:
            paper.box(left, y - 10, right, y + 20)
        anchor = paper.write(name, 76, y)
        paper.place(anchor, paper.write('Date', 344, y), 'right')
    finish(paper)


def missing_date():
    paper = begin('second-signer-without-date')
    for y, name, has_date in [(620, 'Borrower Signature', True), (540, 'Trustee Signature', False), (460, 'Lender Signature', True)]:
        anchor = add_line(paper, name, 72, y, 340)
        add_line(paper, 'Printed Name', 72, y - 18, 340)
        if has_date:
            paper.place(anchor, add_line(paper, 'Date', 72, y - 36, 340), 'below')
        else:
            paper.refuse(anchor, 'Date', 'its block has none; the next one below is of the lender')
    finish(paper)


def pieces():
    paper = begin('words-and-letters-drawn-alone')
    for y, by, name in [(600, 'word', 'Borrower Signature'), (550, 'letter', 'Lender Signature')]:
        anchor = paper.write(name, 72, y, by=by)
        paper.place(anchor, paper.write('Date', 360, y, by=by), 'right')
    finish(paper)


def nearest_below():
    paper = begin('two-below')
    anchor = add_line(paper, 'Borrower Signature', 72, 600, 340)
    near = add_line(paper, 'Date', 72, 576, 340)
    add_line(paper, 'Loan Number', 72, 552, 340)
    add_line(paper, 'Date', 72, 528, 340)
    paper.place(anchor, near, 'below')
    finish(paper)


def signers_on_a_line():
    paper = begin('two-signers-on-a-line', size=(792, 612))
    for x, name in [(54, 'Borrower Signature'), (410, 'Lender Signature')]:
        anchor = add_line(paper, name, x, 400, x + 210)
        paper.place(anchor, add_line(paper, 'Date', x + 220, 400, x + 320), 'right')
    finish(paper)


def sizes():
    paper = begin('small-and-large-letters')
    anchor = add_line(paper, 'Borrower Signature', 72, 600, 340, size=14, font='Times-Bold')
    paper.place(anchor, paper.write('Date', 360, 600, size=6), 'right')
    other = add_line(paper, 'Seller Signature', 72, 540, 340, size=6)
    paper.place(other, paper.write('Date', 360, 540, size=14, font='Times-Bold'), 'right')
    finish(paper)


def capitals():
    paper = begin('capital-letters')
    anchor = add_line(paper, 'Borrower Signature', 72, 600, 340)
    add_line(paper, 'DATE', 360, 600, 500)
    paper.refuse(anchor, 'Date', 'only DATE stands there')
    finish(paper)


def pages():
    paper = begin('same-labels-on-pages')
    for number in range(1, 4):
        anchor = add_line(paper, 'Borrower Initials', 72, 90 + 20 * number, 200)
        paper.place(anchor, add_line(paper, 'Date', 220, 90 + 20 * number, 330), 'right')
        if number < 3:
            paper.turn()
            add_heading(paper, f'PAGE {number + 1}')
    finish(paper)


def line_before_below():
    """On the line, however far, comes before below."""
    paper = begin('line-before-below')
    anchor = add_line(paper, 'Borrower Signature', 72, 600, 400)
    found = add_line(paper, 'Date', 440, 600, 540)
    add_line(paper, 'Date', 72, 580, 200)
    paper.place(anchor, found, 'right')
    finish(paper)


for make in [on_one_line, captions_below, below, two_signers, columns_below, columns_right, columns_crossing,
             columns_of_text, same_distance, same_distance_right, another_block, next_page, two_lines,
             two_lines_below, two_lines_not_joined, uneven_line, left_of_it, longer_labels, table, missing_date,
             pieces, nearest_below, signers_on_a_line, sizes, capitals, pages, line_before_below]:
    make()
with open(f'{FOLDER}/truth.json', 'w', encoding='utf-8') as file:
    json.dump(TRUTHS, file, indent='\t', ensure_ascii=False)
