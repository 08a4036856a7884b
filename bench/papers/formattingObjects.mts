import type { Block, BoxSign, Look, NamePlace, Pages, Signer } from './blocks.mts';

/** Papers as XSL-FO, in the fonts that every PDF reader has. */

const FONTS = { serif: 'Times', sans: 'Helvetica', libertine: 'Courier' };

const SIGNS: Record<BoxSign, [string, string]> = {
	ballot: [
		'<fo:inline font-family="ZapfDingbats">❏</fo:inline>',
		'<fo:inline font-family="ZapfDingbats">✔</fo:inline>',
	],
	dingbat: [
		'<fo:inline font-family="ZapfDingbats">❑</fo:inline>',
		'<fo:inline font-family="ZapfDingbats">✘</fo:inline>',
	],
	wingding: [
		'<fo:inline font-family="Symbol">♦</fo:inline>',
		'<fo:inline font-family="Symbol">♣</fo:inline>',
	],
	drawn: [
		'<fo:inline border="0.7pt solid black" padding="1pt"><fo:leader leader-length="6pt"/></fo:inline>',
		'<fo:inline border="0.7pt solid black" padding="1pt" background-color="black"><fo:leader leader-length="6pt"/></fo:inline>',
	],
};

const escape = (text: string): string => text.replace(/&/g, '&amp;').replace(/</g, '&lt;');

const block = (content: string, attributes = ''): string =>
	`<fo:block ${attributes}>${content}</fo:block>`;

const table = (rows: string[][], border = ''): string =>
	`<fo:table table-layout="fixed" width="100%" space-after="12pt"><fo:table-body>${rows
		.map(
			(cells) =>
				`<fo:table-row>${cells.map((cell) => `<fo:table-cell padding="2pt" ${border}>${cell}</fo:table-cell>`).join('')}</fo:table-row>`,
		)
		.join('')}</fo:table-body></fo:table>`;

export function writeFormattingObjects(pages: Pages, look: Look): string {
	const flow = pages.map((blocks, index) =>
		block(
			blocks.map((each) => writeBlock(each, look)).join('\n'),
			index === 0 ? '' : 'break-before="page"',
		),
	);
	const repeated = (region: string, text: string | undefined) =>
		text === undefined
			? ''
			: `<fo:static-content flow-name="xsl-region-${region}">${block(escape(text), 'font-size="8pt"')}</fo:static-content>`;
	return `<?xml version="1.0" encoding="UTF-8"?>
<fo:root xmlns:fo="http://www.w3.org/1999/XSL/Format">
<fo:layout-master-set><fo:simple-page-master master-name="letter" page-width="612pt" page-height="792pt" margin="36pt 60pt">
<fo:region-body margin="28pt 0"/><fo:region-before extent="20pt"/><fo:region-after extent="20pt"/>
</fo:simple-page-master></fo:layout-master-set>
<fo:page-sequence master-reference="letter" font-family="${FONTS[look.font]}" font-size="${look.size}pt">
${repeated('before', look.header)}${repeated('after', look.footer)}
<fo:flow flow-name="xsl-region-body">${flow.join('\n')}</fo:flow>
</fo:page-sequence></fo:root>`;
}

function writeBlock(each: Block, look: Look): string {
	if ('heading' in each) {
		const spacing =
			look.letterSpacing === undefined ? '' : `letter-spacing="${look.letterSpacing}pt"`;
		const text = look.smallCaps ? writeSmallCaps(each.heading) : escape(each.heading);
		return block(
			text,
			`font-size="1.4em" font-weight="bold" text-align="center" space-after="10pt" ${spacing}`,
		);
	}
	if ('text' in each)
		return block(
			escape(each.text),
			`space-after="9pt" text-align="${each.isJustified ? 'justify' : 'start'}"`,
		);
	if ('signers' in each) {
		const dates = each.hasDate ? [each.signers.map(() => block('Date ______________'))] : [];
		return table([...writeSigners(each.signers, each.names), ...dates]);
	}
	if ('boxes' in each)
		return each.boxes
			.map((label, index) =>
				block(
					`${SIGNS[look.sign][index === 1 ? 1 : 0]}${index % 2 === 0 ? ' ' : ''}${escape(label)}`,
					'space-after="6pt"',
				),
			)
			.join('\n');
	if ('table' in each)
		return table(
			each.table.map((cells) => cells.map((cell) => block(escape(cell)))),
			'border="0.5pt solid black"',
		);
	return `<fo:block-container absolute-position="fixed" left="400pt" top="640pt" width="120pt" height="30pt" reference-orientation="90">${block(escape(each.stamp), 'color="#aa0000" font-size="9pt"')}</fo:block-container>`;
}

/** Capitals in two sizes, as it's done where a font has no small ones. */
const writeSmallCaps = (text: string): string =>
	escape(text).replace(
		/[a-z]+/g,
		(letters) => `<fo:inline font-size="0.8em">${letters.toUpperCase()}</fo:inline>`,
	);

const LINE = '_'.repeat(32);

function writeSigners(signers: Signer[], names: NamePlace): string[][] {
	const name = (signer: Signer) => block(signer.name === '' ? '&#160;' : escape(signer.name));
	const label = (signer: Signer) => block(escape(signer.label));
	const line = () => block(LINE);
	const rows: Record<NamePlace, Array<(signer: Signer) => string>> = {
		on: [(signer) => block(`____${escape(signer.name)}________`), label],
		over: [
			(signer) =>
				`${block(LINE)}${block(escape(signer.name) || '&#160;', 'space-before="-1.2em" start-indent="14pt"')}`,
			label,
		],
		above: [name, line, label],
		below: [line, name, label],
	};
	return rows[names].map((write) => signers.map(write));
}
