/*
 * Forms whose fields are known before a tool makes them. The texts and names are those of public forms
 * of courts, lenders, tax offices and brokers; the forms are made up.
 */

export type FieldType = 'signature' | 'text' | 'checkbox';
/** Left, bottom, right and top, in units of the page's user space. */
export type Box = [number, number, number, number];
export interface Field {
	/** The full name: those of the parents and its own, with dots. */
	name: string;
	type: FieldType;
	/** One of these for each widget, in the order of the field's kids. */
	widgets: Array<{ page: number; box: Box }>;
}
export interface Caption {
	page: number;
	x: number;
	y: number;
	text: string;
}
export interface Form {
	file: string;
	tool: 'pdfbox' | 'itext' | 'pdf-lib' | 'libreoffice' | 'reportlab';
	pages: Array<[width: number, height: number]>;
	fields: Field[];
	captions: Caption[];
}

const PAPERS = { letter: [612, 792], legal: [612, 1008], a4: [595.25, 841.75] } as const;
const TYPES: Record<string, FieldType> = { sig: 'signature', text: 'text', box: 'checkbox' };

/** A form of each of these: file, tool, paper, and its fields as type, pages of its widgets, name. */
const FORMS: Array<[string, Form['tool'], keyof typeof PAPERS, string]> = [
	[
		'bankruptcy-declaration',
		'pdfbox',
		'letter',
		`text 1 Debtor1.First name
		text 1 Debtor1.Last name
		box 1 Check Box3
		sig 1 Signature of Debtor 1
		text 1 Executed on
		sig 1 Signature of Debtor 2
		text 1 Executed on_2`,
	],
	[
		'loan-application-1003',
		'pdfbox',
		'letter',
		`text 1 topmostSubform[0].Page1[0].BorrowerName[0]
		text 1 topmostSubform[0].Page1[0].CoBorrowerName[0]
		box 1 topmostSubform[0].Page1[0].JointCredit[0]
		sig 2 topmostSubform[0].Page2[0].BorrowerSig[0]
		text 2 topmostSubform[0].Page2[0].BorrowerSigDate[0]
		sig 2 topmostSubform[0].Page2[0].CoBorrowerSig[0]
		text 2 topmostSubform[0].Page2[0].CoBorrowerSigDate[0]`,
	],
	[
		'initials-on-every-page',
		'pdfbox',
		'legal',
		`sig 1,2,3,4 Borrower 1 Initials
		sig 1,2,3,4 Borrower 2 Initials
		sig 4 Borrower 1 Signature
		text 4 Date
		sig 4 Borrower 2 Signature
		text 4 Date_2`,
	],
	[
		'deed-with-notary',
		'pdfbox',
		'letter',
		`sig 1 Grantor Signature
		text 1 Grantor Date
		sig 1 Notary Signature
		text 1 Notary Printed Name
		text 1 My Commission Expires
		box 1 Personally Known
		box 1 Produced Identification`,
	],
	[
		'names-of-many-scripts',
		'pdfbox',
		'a4',
		`sig 1 Firma del comprador año
		text 1 Дата подписи
		sig 1 買主の署名
		text 1 Número de préstamo
		sig 1 Unterschrift Käufer/in (1)
		sig 1 Signature 🖋`,
	],
	[
		'same-name-twice-on-a-page',
		'pdfbox',
		'letter',
		`text 1,1,2 Borrower Name
		sig 1,1 Signature
		text 1,1 Date
		sig 2 Initials`,
	],
	[
		'lease',
		'pdfbox',
		'letter',
		`text 1 Landlord.Name
		text 1 Tenant 1.Name
		text 1 Tenant 2.Name
		sig 2 Landlord.Signature
		text 2 Landlord.Date
		sig 2 Tenant 1.Signature
		text 2 Tenant 1.Date
		sig 2 Tenant 2.Signature
		text 2 Tenant 2.Date`,
	],
	['single-signature', 'pdfbox', 'letter', `sig 1 Signature1`],
	[
		'purchase-agreement',
		'itext',
		'letter',
		`text 1 Property Address
		sig 1,2,3 Initials_1
		sig 1,2,3 Initials_2
		sig 3 Buyer's Signature
		text 3 Buyer's Date
		sig 3 Seller 1 Sign Here
		sig 3 Seller 2 Sign Here
		text 3 Date_af_date`,
	],
	[
		'tax-transcript-request',
		'itext',
		'letter',
		`text 1 topmostSubform[0].Page1[0].f1_1[0]
		text 1 topmostSubform[0].Page1[0].f1_2[0]
		box 1 topmostSubform[0].Page1[0].c1_1[0]
		box 1 topmostSubform[0].Page1[0].c1_2[0]
		sig 1 topmostSubform[0].Page1[0].Signature[0]
		text 1 topmostSubform[0].Page1[0].SigDate[0]
		sig 1 topmostSubform[0].Page1[0].SpouseSig[0]`,
	],
	[
		'va-form',
		'itext',
		'letter',
		`text 1 form1[0].#subform[0].VETERANS_NAME[0]
		box 1 form1[0].#subform[0].YES[0]
		box 1 form1[0].#subform[0].NO[0]
		sig 2 form1[0].#subform[1].SIGNATURE_OF_VETERAN[0]
		text 2 form1[0].#subform[1].Date_Signed[0]`,
	],
	[
		'three-borrowers',
		'itext',
		'legal',
		`sig 1 Borrower 1 Signature
		text 1 Borrower 1 Date
		sig 1 Borrower 2 Signature
		text 1 Borrower 2 Date
		sig 1 Borrower 10 Signature
		text 1 Borrower 10 Date`,
	],
	[
		'accents-and-signs',
		'itext',
		'a4',
		`sig 1 Assinatura do Vendedor nº 1
		sig 1 Acheteur – « lu et approuvé »
		text 1 Straße & Hausnr. (Käufer)
		sig 1 Подпись покупателя
		box 1 100 % (yes/no)\\etc`,
	],
	[
		'affidavit',
		'itext',
		'letter',
		`text 1 Affiant Name
		sig 1 Affiant's signature
		text 1 Date signed
		sig 1 Notary Public
		text 1 County`,
	],
	[
		'deep-hierarchy',
		'itext',
		'letter',
		`sig 1 Closing.Borrower.Primary.Signature
		text 1 Closing.Borrower.Primary.Date
		sig 1 Closing.Borrower.Secondary.Signature
		text 1 Closing.Borrower.Secondary.Date
		sig 2 Closing.Seller.Signature`,
	],
	[
		'names-that-differ-by-a-space',
		'itext',
		'letter',
		`sig 1 Borrower Signature
		sig 1 Borrower  Signature
		sig 1 borrower signature
		sig 1 BorrowerSignature`,
	],
	[
		'closing-disclosure-receipt',
		'pdf-lib',
		'letter',
		`sig 1 Applicant Signature
		text 1 Applicant Signature Date
		sig 1 Co-Applicant Signature
		text 1 Co-Applicant Signature Date`,
	],
	[
		'widgets-of-one-field',
		'pdf-lib',
		'letter',
		`text 1,2,3 Loan Number
		sig 1,2,3 Borrower.Initials
		sig 3 Borrower.Signature
		text 3 Borrower.Date`,
	],
	[
		'w9',
		'pdf-lib',
		'letter',
		`text 1 topmostSubform[0].Page1[0].f1_01[0]
		box 1 topmostSubform[0].Page1[0].Boxes3a-b_ReadOrder[0].c1_1[0]
		box 1 topmostSubform[0].Page1[0].Boxes3a-b_ReadOrder[0].c1_1[1]
		sig 1 topmostSubform[0].Page1[0].Signature of US person[0]
		text 1 topmostSubform[0].Page1[0].Date[0]`,
	],
	[
		'listing-agreement',
		'pdf-lib',
		'legal',
		`sig 1 Seller 1 Signature_es_:signer:signature
		text 1 Seller 1 Date_es_:signer:date
		sig 1 Broker Signature
		text 1 Broker License #`,
	],
	[
		'names-in-Chinese',
		'pdf-lib',
		'a4',
		`text 1 借款人姓名
		sig 1 借款人签名
		text 1 日期
		sig 1 共同借款人签名`,
	],
	[
		'many-fields',
		'pdf-lib',
		'letter',
		Array.from(
			{ length: 24 },
			(_, index) =>
				`${index % 6 === 5 ? 'sig' : 'text'} ${1 + Math.floor(index / 12)} Field ${index + 1}`,
		).join('\n'),
	],
	[
		'questionnaire-of-an-office',
		'libreoffice',
		'letter',
		`text 1 Name
		text 1 Date
		box 1 Agree
		text 1 Signature of Applicant`,
	],
	[
		'two-pages-of-an-office',
		'libreoffice',
		'letter',
		`text 1 Buyer Name
		text 1 Seller Name
		box 2 I have read it
		text 2 Buyer Signature
		text 2 Seller Signature`,
	],
	[
		'office-form-in-German',
		'libreoffice',
		'a4',
		`text 1 Käufer
		text 1 Größe (m²)
		box 1 Bestätigt
		text 1 Unterschrift des Käufers`,
	],
	[
		'checklist-of-an-office',
		'libreoffice',
		'a4',
		`box 1 Deed
		box 1 Note
		box 1 Title Policy
		text 1 Initials_2`,
	],
	[
		'report-with-fields',
		'reportlab',
		'letter',
		`text 1 Borrower Name
		text 1 Signature
		text 1 Date
		box 1 Agree`,
	],
	[
		'report-of-two-pages',
		'reportlab',
		'legal',
		`text 1 Initials_1
		text 2 Initials_2
		text 2 Buyer's Signature
		box 2 Confirmed`,
	],
	[
		'report-with-brackets',
		'reportlab',
		'letter',
		`text 1 Name (printed)
		text 1 Title \\ Position
		text 1 signature[0]
		box 1 Yes`,
	],
	[
		'report-on-A4',
		'reportlab',
		'a4',
		`text 1 Prénom
		text 1 Signature de l'acheteur
		box 1 Lu et approuvé`,
	],
];

/** Lays the fields out: a signature begins a row, texts and check boxes follow while there's room. */
export const forms: Form[] = FORMS.map(([file, tool, paper, lines], number) => {
	const [width, height] = PAPERS[paper];
	const rows = new Map<number, { x: number; y: number }>();
	const captions: Caption[] = [];
	const left = 54 + (number % 5) * 4.5;
	const place = (page: number, type: FieldType, name: string): Box => {
		const [w, h] = {
			signature: [190.5 + (number % 4) * 7.25, 24.75 + (number % 3)],
			text: [118.25 + (number % 3) * 5, 16.5],
			checkbox: tool === 'libreoffice' ? [8, 8] : [12, 12],
		}[type];
		const row = rows.get(page) ?? { x: Infinity, y: height - 90 };
		const begins = type === 'signature' || row.x + w > width - 54;
		const y = begins ? row.y - 44.25 : row.y;
		const x = begins ? left : row.x;
		rows.set(page, { x: x + w + 60.5, y });
		captions.push({ page, x, y: y - 9, text: name.split('.').at(-1) ?? name });
		return [x, y, x + w, y + h];
	};
	const fields = lines
		.trim()
		.split('\n')
		.map((line): Field => {
			const [, kind, pages, name] = /^\s*(\S+) (\S+) (.*)$/.exec(line) ?? [];
			const type = TYPES[kind];
			return {
				name,
				type,
				widgets: pages
					.split(',')
					.map((page) => ({ page: Number(page), box: place(Number(page), type, name) })),
			};
		});
	const count = Math.max(...fields.flatMap(({ widgets }) => widgets.map(({ page }) => page)));
	return {
		file: `${file}.pdf`,
		tool,
		pages: Array.from({ length: count }, () => [width, height]),
		fields,
		captions,
	};
});

/** Lines that the makers in other languages read: their words are separated by tabs. */
export const formatForm = ({ pages, fields, captions }: Form): string =>
	[
		...pages.map((size) => ['page', ...size]),
		...captions.map(({ page, x, y, text }) => ['caption', page, x, y, text]),
		...fields.map(({ name, type, widgets }) => [
			'field',
			type,
			name,
			...widgets.flatMap(({ page, box }) => [page, ...box]),
		]),
	]
		.map((words) => words.join('\t'))
		.join('\n');
