import { fetchPdf } from './resource.mts';
import { inspectPdf, type Designation } from './pdf.mts';
import { findJurisdictions } from './places.mts';
import { Refusal } from './refusal.mts';
import { move, type Document, type Key, type Signer, type Transaction, type World } from './world.mts';

/** Creating, filling and sending transactions (interface.md §3, §4; gaps.md §1 to §6). */

/** gaps.md §3. */
const CLOSING_TYPES = new Set(
	('refinance trailing_docs purchase_seller purchase_buyer_cash purchase_buyer_loan heloc loan_mod_borrower other hybrid_refinance ' +
		'hybrid_trailing_docs hybrid_purchase_seller hybrid_purchase_buyer_cash hybrid_purchase_buyer_loan hybrid_other wet_sign ' +
		'real_estate_esign real_estate_proof').split(' '),
);
/** An eNote is mandatory for these unless paper_note_consent (gaps.md §3). */
const NEEDS_ENOTE = new Set(['refinance', 'purchase_buyer_loan']);

type Fields = Record<string, any>;

/** POST R/transactions: always a draft (interface.md §3.1). */
export function createClosing(world: World, key: Key, body: Fields, version: number): Transaction {
	const { signer, ...fields } = body;
	const assurance = signer.assurance_requirement !== undefined;
	if (assurance && version !== 2) throw new Refusal(422, 'Identity assurance needs the version 2 of this endpoint');
	if (assurance ? fields.transaction_type !== null : !CLOSING_TYPES.has(fields.transaction_type)) throw new Refusal(422, 'Invalid Value for transaction_type');
	const { city, state } = fields.street_address;
	const places = findJurisdictions(String(city), String(state));
	if (fields.recording_jurisdiction_id !== undefined && !places.some(({ id }) => id === fields.recording_jurisdiction_id)) {
		throw new Refusal(422, 'recording_jurisdiction_id does not belong to the address');
	}
	const agencies = places.flatMap((place) => place.eligible_title_agencies);
	const agency = agencies.find(({ id }) => id === fields.title_agency_id);
	if (fields.title_agency_id !== undefined && agency === undefined) throw new Refusal(422, 'title_agency_id is not eligible for the address');
	if (fields.title_underwriter_id !== undefined && !(agency ?? agencies[0])?.eligible_underwriters.some(({ id }) => id === fields.title_underwriter_id)) {
		throw new Refusal(422, 'title_underwriter_id is not eligible for the title agency');
	}
	return add(world, key, 'realEstate', [signer], fields);
}

/** POST B/transactions (interface.md §4). */
export async function createTransaction(world: World, key: Key, body: Fields): Promise<Transaction> {
	const { signers, signer, documents = [], draft = false, ...fields } = body;
	const people: Signer[] = signers ?? (signer ? [signer] : []);
	if (people.length === 0) throw new Refusal(422, 'Need at least 1 signer');
	if (!draft && documents.length === 0) throw new Refusal(422, 'Need at least 1 document');
	const transaction = add(world, key, 'business', people, fields);
	for (const document of documents) await addDocument(world, transaction, document);
	if (!draft) send(world, transaction);
	return transaction;
}

function add(world: World, key: Key, platform: Transaction['platform'], people: Signer[], fields: Fields): Transaction {
	const organization = String(fields.organization_id ?? key.organization);
	if (organization !== key.organization && !(key.organization === world.parent && organization === world.child)) {
		throw new Refusal(403, 'The organization does not belong to this key');
	}
	for (const { email } of people) checkEmail(email);
	const now = world.clock.stamp();
	const transaction: Transaction = {
		id: world.newId('ot_'),
		platform,
		organization,
		created: now,
		updated: now,
		status: '',
		detailedStatus: '',
		signers: people.map((person) => ({ ...person, id: world.newId('oc_') })),
		documents: [],
		fields,
		history: [],
	};
	world.transactions.set(transaction.id, transaction);
	move(world, transaction, 'started', 'draft', 'created as a draft');
	world.emit('transaction.created', transaction);
	return transaction;
}

const TYPOS: Record<string, string> = { 'gmial.com': 'gmail.com', 'gmal.com': 'gmail.com', 'yaho.com': 'yahoo.com', 'hotmial.com': 'hotmail.com' };

function checkEmail(email: string): void {
	if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new Refusal(422, 'Customer email not present');
	const meant = TYPOS[email.split('@')[1].toLowerCase()];
	if (meant !== undefined) throw new Refusal(422, `Typo in domain name. Did you mean ${email.split('@')[0]}@${meant}?`);
}

export function isDraft({ detailedStatus }: Transaction): boolean {
	return detailedStatus === 'draft' || detailedStatus === 'recalled';
}

/** POST .../documents; `resource` is a URL, base64 or the bytes of a multipart file. */
export async function addDocument(world: World, transaction: Transaction, body: Fields): Promise<Document> {
	if (!isDraft(transaction)) throw new Refusal(422, 'Transaction cannot be edited at this time.');
	const { resource, filename, requirement, signing_designations = [], bundle_position, ...flags } = body;
	if (requirement === 'esign_supervised' && transaction.fields.transaction_type !== 'wet_sign') throw new Refusal(422, 'esign_supervised is for wet_sign only');
	if (flags.pdf_bookmarked) throw new Refusal(422, 'Splitting at bookmarks is not available');
	checkDesignations(transaction, signing_designations);
	const uploaded = Buffer.isBuffer(resource) ? resource : await fetchPdf(String(resource));
	const pages = await inspectPdf(uploaded);
	const outside = signing_designations.find((place: Designation) => place.page_number >= pages);
	if (outside) throw new Refusal(422, `page_number ${outside.page_number} does not exist: the document has ${pages} pages, counted from 0`);
	const now = world.clock.stamp();
	const document: Document = {
		id: world.newId('do_'),
		name: filename ?? `Document ${transaction.documents.length + 1}`,
		requirement,
		created: now,
		updated: now,
		position: bundle_position ?? transaction.documents.length,
		isEnote: false,
		uploaded,
		pages,
		state: 'pending',
		designations: signing_designations,
		flags,
	};
	transaction.documents.push(document);
	transaction.updated = now;
	const payload = { document: { document_id: document.id, name: document.name } };
	world.emit('transaction.document.upload', transaction, payload);
	world.clock.later(0, () => {
		document.state = 'done';
		world.emit('transaction.document.processed', transaction, payload);
	});
	return document;
}

function checkDesignations(transaction: Transaction, designations: Designation[]): void {
	const known = new Set(transaction.signers.map(({ external_id }) => external_id).filter((id) => id !== undefined));
	const triggers = new Set(designations.filter(({ optional }) => optional === true).map((place) => place.primary_designation_identifier));
	for (const { signer_identifier: who, conditional_on_primary: on } of designations) {
		if (!known.has(who) && who !== 'notary' && !/^witness[1-9]$/.test(who)) throw new Refusal(422, `signer_identifier ${who} is not the external_id of a signer`);
		if (on !== undefined && !triggers.has(on)) throw new Refusal(422, `conditional_on_primary ${on} has no optional designation`);
	}
}

/** POST R/transactions/{id}/enote (gaps.md §6): only while the transaction is a draft. */
export async function addEnote(world: World, transaction: Transaction, { file, type }: Fields): Promise<Document> {
	if (!isDraft(transaction)) throw new Refusal(422, 'Transaction cannot be edited at this time.');
	if (transaction.documents.some(({ isEnote }) => isEnote)) throw new Refusal(422, 'The transaction has an eNote already');
	const xml = await fetchPdf(String(file));
	if (!/^\uFEFF?\s*</.test(xml.subarray(0, 200).toString('utf8'))) throw new Refusal(422, 'The eNote is not an XML file');
	const { linesPdf } = await import('./pdf.mts');
	const now = world.clock.stamp();
	const document: Document = {
		id: world.newId('do_'),
		name: 'eNote',
		requirement: 'esign',
		created: now,
		updated: now,
		position: transaction.documents.length,
		isEnote: true,
		uploaded: await linesPdf('Promissory note', [`Made from ${xml.length} bytes of XML, type ${type}`]),
		pages: 1,
		state: 'done',
		designations: [],
		flags: {},
	};
	transaction.documents.push(document);
	transaction.updated = now;
	return document;
}

/** Send (gaps.md §1, §5). */
export function send(world: World, transaction: Transaction): void {
	if (!isDraft(transaction)) throw new Refusal(422, 'Transaction cannot be edited at this time.');
	if (transaction.documents.length === 0) throw new Refusal(422, 'Need at least 1 document');
	if (transaction.documents.some(({ state }) => state === 'pending')) world.clock.advance(0);
	const { transaction_type: type, paper_note_consent: paper } = transaction.fields;
	if (NEEDS_ENOTE.has(String(type)) && paper !== true && !transaction.documents.some(({ isEnote }) => isEnote)) throw new Refusal(422, 'eNote Required');
	for (const signer of transaction.signers) signer.signing_status = 'incomplete';
	move(world, transaction, 'sent', 'sent_to_signer', 'sent to the signer');
	world.emit('transaction.sent', transaction);
	world.emit('transaction.sent_to_signer', transaction);
}
