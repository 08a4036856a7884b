import { createHash } from 'node:crypto';

import type { IDataObject } from 'n8n-workflow';

/** What a service keeps of its transactions, under the names of its requests. */

export type Platform = 'business' | 'realEstate';
export type State =
	'draft' | 'sent' | 'recalled' | 'completed' | 'expired' | 'declined' | 'canceled';
/** Nobody signs these any more, and nobody changes them. */
export const ENDED: State[] = ['expired', 'declined', 'canceled'];
export const EDITABLE: State[] = ['draft', 'recalled'];

export interface KeptSigner extends IDataObject {
	signer_id: string;
	email: string;
	first_name?: string;
	last_name?: string;
	external_id?: string;
	phone?: { country_code: string; number: string };
}

export interface KeptDocument {
	id: string;
	name: string;
	bytes: Buffer;
	requirement: string;
	/** Those that are on. */
	flags: string[];
	designations: IDataObject[];
	groups: IDataObject[];
	trackingId?: string;
	isEnote: boolean;
	/** The service adds one for each signer of a new closing. */
	isConsentForm: boolean;
	/** When it came, in milliseconds. */
	added: number;
}

export interface KeptTransaction {
	id: string;
	platform: Platform;
	state: State;
	recallReason?: string;
	fields: IDataObject;
	signers: KeptSigner[];
	documents: KeptDocument[];
	created: string;
	updated: string;
}

/** What differs between services. */
export interface KeptOptions {
	/** Whether answers have the Tracking ID of documents and the External ID of transactions. */
	showsReferences: boolean;
	/** Whether the entries of lists lack External ID and loan number. */
	listHidesNumbers: boolean;
	/** What a PUT does to fields of a closing that it leaves out. */
	put: 'replaces' | 'merges';
	processingMs: number;
	/** Whether answers have identity checks and the other settings of a signer. */
	showsSettings: boolean;
	/** Whether tags and links are taken out of messages. */
	stripsMessages: boolean;
	/** What answers show of places: `byPlatform` is all on business, and only IDs on real estate. */
	designations: 'full' | 'ids' | 'byPlatform';
	/** Whether a new closing gets consent forms. */
	addsConsentForms: boolean;
	/** Whether `recalled` is a state of business, too. */
	businessShowsRecalled: boolean;
	/** How many entries a page of a list has at most. */
	mostOnPage: number;
}

export const OPTIONS: KeptOptions = {
	showsReferences: true,
	listHidesNumbers: false,
	put: 'replaces',
	processingMs: 0,
	showsSettings: false,
	stripsMessages: true,
	designations: 'byPlatform',
	addsConsentForms: true,
	businessShowsRecalled: false,
	mostOnPage: 1000,
};

/** A request that may change something, in the order of their arrival. */
export interface Write {
	method: string;
	path: string;
	/** Without the contents of files. */
	body: IDataObject;
	status: number;
}

/** What a transaction was when it went to its signers. */
export interface Sent {
	id: string;
	platform: Platform;
	fields: IDataObject;
	signers: KeptSigner[];
	documents: Array<Omit<KeptDocument, 'bytes'> & { sha256: string }>;
}

export const without = (from: object, names: string[]): IDataObject =>
	Object.fromEntries(Object.entries(from).filter(([name]) => !names.includes(name)));
export const sha256 = (bytes: Buffer): string => createHash('sha256').update(bytes).digest('hex');

/** The transaction as it is now. */
export const snapshot = ({ id, platform, fields, signers, documents }: KeptTransaction): Sent =>
	structuredClone({
		id,
		platform,
		fields,
		signers,
		documents: documents.map(({ bytes, ...more }) => ({ ...more, sha256: sha256(bytes) })),
	});

/** Everything that a service keeps. */
export class Kept {
	transactions: KeptTransaction[] = [];
	sent: Sent[] = [];
	writes: Write[] = [];
	options: KeptOptions = { ...OPTIONS };
	/** Where the service is. */
	url = '';
	private count = 0;

	/** Forgets everything, for a service with other options. */
	reset(options: Partial<KeptOptions> = {}): void {
		this.transactions = [];
		this.sent = [];
		this.writes = [];
		this.options = { ...OPTIONS, ...options };
	}

	/** An ID as live services have them. */
	newId = (prefix: string): string =>
		`${prefix}_${(++this.count + 36 ** 5).toString(36).padStart(7, 'k')}`;

	/** The transaction with this number or ID that isn't at its end, or else the last one. */
	find(number: unknown): KeptTransaction {
		const all = this.all(number);
		const one = all.find(({ state }) => !ENDED.includes(state)) ?? all.at(-1);
		if (one === undefined) throw new Error(`The service keeps no transaction ${String(number)}`);
		return one;
	}

	all = (number: unknown): KeptTransaction[] =>
		this.transactions.filter(
			({ id, fields }) =>
				id === number || fields.loan_number === number || fields.external_id === number,
		);
}
