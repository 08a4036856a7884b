"""
Makes the forms whose lines stand in files: pairs of such a file and the PDF to write. LibreOffice
exports a text document with form controls, which stand at places of its pages.
"""
import os
import subprocess
import sys
import tempfile
from xml.sax.saxutils import quoteattr

NAMESPACES = ' '.join(
    f'xmlns:{prefix}="urn:oasis:names:tc:opendocument:xmlns:{name}:1.0"'
    for prefix, name in [
        ('office', 'office'), ('style', 'style'), ('text', 'text'), ('draw', 'drawing'),
        ('fo', 'xsl-fo-compatible'), ('svg', 'svg-compatible'), ('form', 'form')]) + ' xmlns:ooo="http://openoffice.org/2004/office"'


def write_document(lines, path):
    rows = [line.split('\t') for line in open(lines, encoding='utf-8').read().split('\n')]
    sizes = [tuple(map(float, words[1:])) for words in rows if words[0] == 'page']
    controls, shapes = [], {}
    for number, words in enumerate(words for words in rows if words[0] == 'field'):
        kind = 'text' if words[1] == 'text' else 'checkbox'
        x, y, right, top = map(float, words[4:8])
        if kind == 'checkbox':
            # In the middle of such a control stands a box as high as its text, which is the widget.
            x, y, right, top = x - 0.8, y - 2, right + 4, top + 2
        control = 'ooo:com.sun.star.form.component.' + ('TextField' if kind == 'text' else 'CheckBox')
        controls.append(
            f'<form:{kind} form:id="c{number}" xml:id="c{number}" form:name={quoteattr(words[2])} '
            f'form:control-implementation="{control}"><form:properties>'
            '<form:property form:property-name="Border" office:value-type="float" office:value="0"/>'
            f'</form:properties></form:{kind}>')
        height = sizes[int(words[3]) - 1][1]
        shapes[words[3]] = shapes.get(words[3], '') + (
            f'<draw:control text:anchor-type="paragraph" '
            f'draw:style-name="s" draw:control="c{number}" svg:x="{x}pt" svg:y="{height - top}pt" '
            f'svg:width="{right - x}pt" svg:height="{top - y}pt"/>')
    width, height = sizes[0]
    pages = ''.join(
        f'<text:p text:style-name="{"b" if page > 1 else "a"}">{shapes[str(page)]}Page {page}</text:p>'
        for page in range(1, len(sizes) + 1))
    with open(path, 'w', encoding='utf-8') as file:
        file.write(f'''<?xml version="1.0" encoding="UTF-8"?>
<office:document {NAMESPACES} office:version="1.2" office:mimetype="application/vnd.oasis.opendocument.text">
<office:automatic-styles>
<style:page-layout style:name="p"><style:page-layout-properties fo:page-width="{width}pt"
 fo:page-height="{height}pt" fo:margin="36pt"/></style:page-layout>
<style:style style:name="a" style:family="paragraph"/>
<style:style style:name="b" style:family="paragraph"><style:paragraph-properties fo:break-before="page"/></style:style>
<style:style style:name="s" style:family="graphic"><style:graphic-properties style:wrap="run-through"
 style:vertical-pos="from-top" style:vertical-rel="page" style:horizontal-pos="from-left"
 style:horizontal-rel="page"/></style:style>
</office:automatic-styles>
<office:master-styles><style:master-page style:name="Standard" style:page-layout-name="p"/></office:master-styles>
<office:body><office:text>
<office:forms form:apply-design-mode="false"><form:form form:name="Form">{''.join(controls)}</form:form></office:forms>
{pages}
</office:text></office:body></office:document>''')


with tempfile.TemporaryDirectory() as folder:
    for lines, pdf in zip(sys.argv[1::2], sys.argv[2::2]):
        name = os.path.splitext(os.path.basename(pdf))[0]
        write_document(lines, f'{folder}/{name}.fodt')
        subprocess.run(
            ['soffice', f'-env:UserInstallation=file://{folder}/profile', '--headless', '--convert-to',
             'pdf', '--outdir', os.path.dirname(pdf), f'{folder}/{name}.fodt'], check=True)
