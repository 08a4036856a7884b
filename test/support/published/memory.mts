import { ABSENT, type Generator } from './generate.mts';
import { uuidOf } from './hash.mts';

/**
 * What the published server remembers: what was written, and the state of each transaction. It is
 * shallow on purpose. Any well-formed ID exists; that of a transaction can say its state:
 * ot_draft01, ot_sent001, ot_done001.
 */

export type Fields = Record<string, any>;
type State = 'draft' | 'sent' | 'done';

export interface Transaction {
	id: string;
	platform: 'business' | 'real estate';
	state: State;
	status: string;
	detailedStatus: string;
	/** What is known of its answer, by the answer's names. */
	fields: Fields;
	/** What is known of each signer. */
	signers: Fields[];
	/** The IDs of its documents, in order. */
	documents: string[];
	/** The number of its creation: the latest has the highest. */
	age: number;
	/** How often it was written. */
	writes: number;
}

const STATUS: Record<State, [string, string]> = {
	draft: ['started', 'draft'],
	sent: ['sent', 'sent_to_signer'],
	done: ['completed', 'complete'],
};

/** What exists from the start and is listed. */
export const TRANSACTIONS = ['ot_done001', 'ot_sent001', 'ot_draft01', 'ot_done002', 'ot_draft02'];
export const WEBHOOKS = ['whfirst01', 'whsecond2', 'whthird03'];
export const NOTARIES = ['us_notary1', 'us_notary2', 'us_notary3'];
export const RECORDS = ['me_record1', 'me_record2', 'me_record3'];
export const TEMPLATES = ['odtempla1', 'odtempla2', 'odtempla3'];

/** The same ID comes with and without underscore (docs/service/README.md#identifiers). */
export const plain = (id: string) => id.replace('_', '');

/** Whether an ID has the form of its kind: the kind's prefix and more. */
export const isWellFormed = (prefix: string, id: string) =>
	new RegExp(`^${prefix}_?[\\w-]{3,}$`).test(id);

export class Memory {
	private readonly transactions = new Map<string, Transaction>();
	private readonly documents = new Map<string, Fields>();
	private readonly others = new Map<string, Fields>();
	private readonly deleted = new Set<string>();
	private readonly listed = {
		wh: [...WEBHOOKS],
		us: [...NOTARIES],
		me: [...RECORDS],
		od: [...TEMPLATES],
	};
	private count = 0;

	private readonly generator: Generator;

	constructor(generator: Generator) {
		this.generator = generator;
		for (const platform of ['business', 'real estate'] as const) {
			for (const id of [...TRANSACTIONS].reverse()) this.findTransaction(platform, id);
		}
	}

	/** A transaction, which is made up when it was not seen before. */
	findTransaction(platform: Transaction['platform'], id: string): Transaction | undefined {
		if (!isWellFormed('ot', id) || this.deleted.has(plain(id))) return undefined;
		const key = `${platform} ${plain(id)}`;
		const known = this.transactions.get(key);
		if (known !== undefined) return known;
		const state = (/^ot_?(draft|sent|done)/.exec(id)?.[1] ?? 'sent') as State;
		return this.keep({
			id: `ot_${plain(id).slice(2)}`,
			platform,
			state,
			fields: {},
			signers: [{ signer_id: signerOf(id), external_id: 's1' }],
			documents: documentsOf(id),
		});
	}

	addTransaction(
		platform: Transaction['platform'],
		state: State,
		fields: Fields,
		signers: Fields[],
	): Transaction {
		const id = `ot_${this.generator.letters(`new transaction ${this.count}`, 7)}`;
		return this.keep({ id, platform, state, fields, signers, documents: [] });
	}

	/** Puts a transaction into another state. */
	move(transaction: Transaction, state: State, detailedStatus?: string): void {
		const [status, detailed] = STATUS[state];
		Object.assign(transaction, { state, status, detailedStatus: detailedStatus ?? detailed });
	}

	/** The transactions of a platform, the newest first. */
	listTransactions(platform: Transaction['platform']): Transaction[] {
		return [...this.transactions.values()]
			.filter((entry) => entry.platform === platform && !this.deleted.has(plain(entry.id)))
			.sort((a, b) => b.age - a.age);
	}

	/** What is known of a document; undefined when it does not exist. */
	findDocument(id: string): Fields | undefined {
		if (!isWellFormed('do', id) || this.deleted.has(plain(id))) return undefined;
		const known = this.documents.get(plain(id)) ?? { id: `do_${plain(id).slice(2)}` };
		this.documents.set(plain(id), known);
		return known;
	}

	addDocument(transaction: Transaction, fields: Fields): Fields {
		const id = `do_${uuidOf(`new document ${this.count++}`)}`;
		const document = { id, bundle_position: transaction.documents.length, ...fields };
		this.documents.set(plain(id), document);
		transaction.documents.push(id);
		return document;
	}

	/** What is known of something else: a webhook, a notary, a record. */
	find(prefix: string, id: string): Fields | undefined {
		if (!isWellFormed(prefix, id) || this.deleted.has(plain(id))) return undefined;
		return this.others.get(plain(id)) ?? { id: withUnderscore(prefix, id) };
	}

	add(prefix: 'wh' | 'us', fields: Fields): Fields {
		const id = withUnderscore(
			prefix,
			prefix + this.generator.letters(`new ${prefix} ${this.count++}`, 7),
		);
		this.listed[prefix].unshift(id);
		return this.change(prefix, id, fields);
	}

	change(prefix: string, id: string, fields: Fields): Fields {
		const known = { ...this.find(prefix, id), ...fields };
		this.others.set(plain(id), known);
		return known;
	}

	list(prefix: keyof Memory['listed']): Fields[] {
		return this.listed[prefix].flatMap((id) => this.find(prefix, id) ?? []);
	}

	delete(id: string): void {
		this.deleted.add(plain(id));
		for (const transaction of this.transactions.values())
			transaction.documents = transaction.documents.filter(
				(document) => plain(document) !== plain(id),
			);
	}

	private keep(
		given: Omit<Transaction, 'age' | 'writes' | 'status' | 'detailedStatus'>,
	): Transaction {
		const transaction = { ...given, age: this.count++, writes: 0, status: '', detailedStatus: '' };
		this.move(transaction, given.state);
		this.transactions.set(`${given.platform} ${plain(given.id)}`, transaction);
		return transaction;
	}
}

/** Webhooks and templates have no underscore. */
const withUnderscore = (prefix: string, id: string) =>
	['wh', 'od'].includes(prefix) ? plain(id) : `${prefix}_${plain(id).slice(prefix.length)}`;

/** The IDs of the documents that a transaction has from the start. */
export const documentsOf = (transactionId: string) =>
	[1, 2].map((number) => `do_${uuidOf(`${plain(transactionId)}/${number}`)}`);

/** The ID of the signer that a transaction has from the start. */
export const signerOf = (transactionId: string) =>
	`oc_1${plain(transactionId).slice(2)}`.slice(0, 30);

/** The ID of the notarization record of a completed transaction. */
export const recordOf = ({ id }: { id: string }) => `me_${plain(id).slice(2)}`;

/** For fields that an answer does not have. */
export const absent = (...names: string[]): Fields =>
	Object.fromEntries(names.map((name) => [name, ABSENT]));
