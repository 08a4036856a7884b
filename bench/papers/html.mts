import type { Block, BoxSign, Look, NamePlace, Pages, Signer } from './blocks.mts';

/**
 * Papers as HTML. Each text is in one element of the class `t`, so that a tool's layout can be asked
 * where the characters of a text are.
 */

/** How pages are made: sections as large as a page, or a flow that a word processor breaks. */
export type PageKind = 'sections' | 'flow';

const FONTS = {
	serif: "'Liberation Serif'",
	sans: "'Liberation Sans'",
	libertine: "'Linux Libertine O'",
};

/** Signs of check boxes, empty and checked. OpenSymbol has its signs where no letter is known. */
const SIGNS: Record<BoxSign, [string, string]> = {
	ballot: [
		'<span style="font-family:\'DejaVu Sans\'">☐</span>',
		'<span style="font-family:\'DejaVu Sans\'">☑</span>',
	],
	dingbat: [
		'<span style="font-family:\'DejaVu Sans\'">❏</span>',
		'<span style="font-family:\'DejaVu Sans\'">✔</span>',
	],
	wingding: [
		'<span style="font-family:OpenSymbol">\ue00c</span>',
		'<span style="font-family:OpenSymbol">\ue00d</span>',
	],
	drawn: ['<span class="box"></span>', '<span class="box" style="background:#000"></span>'],
};

const escape = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

const element = (tag: string, content: string, style = ''): string =>
	`<${tag} class="t"${style === '' ? '' : ` style="${style}"`}>${content}</${tag}>`;

export function writeHtml(pages: Pages, look: Look, kind: PageKind): string {
	const sections = pages.map((blocks, index) => writePage(blocks, look, kind, index));
	const { header, footer } = look;
	const repeated =
		kind === 'sections'
			? ''
			: `${header === undefined ? '' : `<div title="header"><p>${escape(header)}</p></div>`}${footer === undefined ? '' : `<div title="footer"><p>${escape(footer)}</p></div>`}`;
	return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Paper</title><style>${writeStyle(look, kind)}</style></head><body>${repeated}${sections.join('')}</body></html>`;
}

const writeStyle = ({ font, size, smallCaps, letterSpacing }: Look, kind: PageKind): string => `
@page { size: 612pt 792pt; margin: ${kind === 'sections' ? '0' : '54pt'} }
body { margin: 0; font-family: ${FONTS[font]}; font-size: ${size}pt }
section { position: relative; width: 612pt; height: 791pt; overflow: hidden; page-break-after: always }
section:last-child { page-break-after: auto }
main { position: absolute; left: 60pt; top: 60pt; width: 492pt }
header, footer { position: absolute; left: 60pt; font-size: 8pt }
header { top: 24pt } footer { top: 756pt }
p { margin: 0 0 9pt 0 }
h1 { font-size: 1.4em; font-weight: bold; margin: 12pt 0; text-align: center;${smallCaps ? ' font-variant: small-caps;' : ''}${letterSpacing === undefined ? '' : ` letter-spacing: ${letterSpacing}pt;`} }
table { width: 100%; border-collapse: collapse; margin: 0 0 12pt 0 }
td { vertical-align: bottom; padding: 2pt 4pt }
.grid td { border: 0.5pt solid #000 }
.line { position: relative; margin: 0 }
.name { position: absolute; left: 14pt; top: 0; white-space: nowrap }
.box { display: inline-block; width: 7pt; height: 7pt; border: 0.7pt solid #000 }
.columns { column-count: 2; -webkit-column-count: 2; column-gap: 24pt; -webkit-column-gap: 24pt }
.stamp { position: absolute; left: 330pt; top: 600pt; color: #a00; border: 1.5pt solid #a00; padding: 4pt; font-size: 15pt; -webkit-transform: rotate(-14deg); transform: rotate(-14deg) }
`;

function writePage(blocks: Block[], look: Look, kind: PageKind, index: number): string {
	const content = blocks.map((block) => writeBlock(block, look)).join('\n');
	if (kind === 'flow')
		return index === 0
			? content
			: content.replace(/class="t"/, 'class="t" style="page-break-before:always"');
	const { header, footer } = look;
	const repeated = [
		header === undefined ? '' : `<header>${element('div', escape(header))}</header>`,
		footer === undefined ? '' : `<footer>${element('div', escape(footer))}</footer>`,
	];
	return `<section>${repeated.join('')}<main>${content}</main></section>`;
}

function writeBlock(block: Block, look: Look): string {
	if ('heading' in block) return element('h1', escape(block.heading));
	if ('text' in block) {
		const style = block.isJustified ? 'text-align:justify' : '';
		const text = element('p', escape(block.text), style);
		return look.hasColumns && block.text.length > 150 ? `<div class="columns">${text}</div>` : text;
	}
	if ('signers' in block)
		return `<table>${writeSigners(block.signers, block.names)}${block.hasDate ? writeDates(block.signers) : ''}</table>`;
	if ('boxes' in block)
		return block.boxes
			.map((label, index) => {
				const sign = SIGNS[look.sign][index === 1 ? 1 : 0];
				return `<p>${sign}${index % 2 === 0 ? ' ' : ''}${element('span', escape(label))}</p>`;
			})
			.join('\n');
	if ('table' in block)
		return `<table class="grid">${block.table.map((cells) => `<tr>${cells.map((cell) => element('td', escape(cell))).join('')}</tr>`).join('')}</table>`;
	return `<div class="stamp">${element('span', escape(block.stamp))}</div>`;
}

const LINE = '_'.repeat(32);

/** A row for each thing that stands under the other: names, lines and labels. */
function writeSigners(signers: Signer[], names: NamePlace): string {
	const writeRow = (write: (signer: Signer) => string) =>
		`<tr>${signers.map((signer) => `<td>${write(signer)}</td>`).join('')}</tr>`;
	const name = (signer: Signer) => element('p', escape(signer.name), 'margin:0');
	const label = (signer: Signer) => element('p', escape(signer.label), 'margin:0');
	const line = () => element('p', LINE, 'margin:0');
	const rows: Record<NamePlace, Array<(signer: Signer) => string>> = {
		on: [(signer) => element('p', `____${escape(signer.name)}________`, 'margin:0'), label],
		over: [
			(signer) =>
				`<div class="line">${element('div', LINE)}<div class="name">${element('span', escape(signer.name))}</div></div>`,
			label,
		],
		above: [name, line, label],
		below: [line, name, label],
	};
	return rows[names].map(writeRow).join('');
}

const writeDates = (signers: Signer[]): string =>
	`<tr>${signers.map(() => element('td', 'Date ______________')).join('')}</tr>`;
