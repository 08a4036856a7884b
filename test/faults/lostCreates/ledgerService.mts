import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

import type { ICredentialDataDecryptedObject, IDataObject } from 'n8n-workflow';

import { credentialFor } from '../../support/engine.mts';
import { signerOf } from '../../support/live/signers.mts';

/**
 * A service that loses its answers to creates, and keeps a ledger of what it really made, with the
 * request that each effect came from. It shares no code with the sandbox and the fault service.
 *
 * Nothing in it waits: whether something has landed or is listed is judged by the clock when somebody
 * asks. It shares that clock with the node, so that on a busy machine, too, what comes before the
 * node's limits came before them.
 */

/** How the answer to a create is lost. */
type Loss = 'gatewayTimeout' | 'badGateway' | 'cut' | 'garbled' | 'page' | 'empty';

/** What becomes of one create. */
export interface Fate {
	/** Undefined if the answer comes. */
	loss?: Loss;
	/** Milliseconds from the answer until the effect is there; undefined if it never comes. */
	landsAfterMs?: number;
	/** Nothing is made, and the answer says so. */
	refused?: boolean;
	/** What others make at the same moment: the same thing with other values. */
	strangers: IDataObject[];
	/** For how long nothing can be looked up afterwards. */
	outageMs: number;
}

/** How a service behaves, whatever is sent to it. */
export interface Manner {
	/** Where answers show references. */
	shows: 'everywhere' | 'singly' | 'nowhere';
	/** What stands in their place where they aren't shown. */
	hidden: 'noKey' | 'null';
	newestFirst: boolean;
	/** Milliseconds by which lists lag behind. */
	lagMs: number;
	/** What an outage looks like. */
	outage: 'unavailable' | 'cut' | 'page';
	/** @param nth counts the creates with this marker, from 1 */
	fateOf(marker: string, nth: number): Fate;
}

/** Something that was made by a request to the service. */
export interface Effect {
	id: string;
	/** The name in the request, by which the test knows whose it is. */
	marker: string;
	body: IDataObject;
	wasLost: boolean;
	/** Milliseconds from the answer until it was there. */
	landsAfterMs: number;
}

/** A transaction or a document, by whomever it was made. */
interface Held {
	id: string;
	/** The transaction of a document. */
	parent?: string;
	body: IDataObject;
	created: number;
	landed: number;
}

/** The service, while it runs. It ends with the test that holds it with `await using`. */
export interface LedgerService extends AsyncDisposable {
	credential: ICredentialDataDecryptedObject;
	/** Also what lands later. */
	ledger: readonly Effect[];
	/** What became of each create, for a person. */
	told: readonly string[];
	/** Puts a transaction of somebody else there, and gives its ID. */
	hold(body: IDataObject, created?: number): string;
}

type Answer = { status?: number; body: unknown } | 'cut';

const PATH = /\/transactions(?:\/([^/]+)(\/documents)?)?\/?$/;
const PAGE = '<html><body>Please wait</body></html>';

/** Starts a service. */
export async function startLedgerService(seed: number, manner: Manner): Promise<LedgerService> {
	const world = new World(manner);
	const server = createServer((request, response) => void handle(world, request, response));
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
	return {
		// A port comes back soon, and the node remembers how fast an account took requests.
		credential: credentialFor(url, { apiKey: `key-of-seed-${seed}` }),
		ledger: world.ledger,
		told: world.told,
		hold: (body, created) => world.hold(body, { created }),
		[Symbol.asyncDispose]: async () => {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
}

async function handle(world: World, request: IncomingMessage, response: ServerResponse) {
	const parts: Buffer[] = [];
	for await (const part of request) parts.push(part as Buffer);
	const { pathname, searchParams } = new URL(request.url!, 'http://service');
	const [isKnown, id, documents] = PATH.exec(pathname) ?? [];
	let answer: Answer = { status: 404, body: { errors: { request: 'resource not found' } } };
	if (isKnown && request.method === 'POST' && (!id || documents)) {
		const platform = pathname.startsWith('/mortgage') ? 'realEstate' : 'business';
		answer = world.create(JSON.parse(String(Buffer.concat(parts))), platform, id);
	} else if (isKnown && request.method === 'GET' && !documents) {
		answer = world.outage() ?? (id ? world.retrieve(id) : world.list(searchParams));
	}
	if (answer === 'cut') return void request.socket.destroy();
	const { status = 200, body } = answer;
	const isText = typeof body === 'string';
	response
		.writeHead(status, { 'content-type': body === PAGE ? 'text/html' : 'application/json' })
		.end(isText ? body : JSON.stringify(body));
}

/** What the service has. */
class World {
	readonly ledger: Effect[] = [];
	readonly told: string[] = [];
	private readonly held: Held[] = [];
	private outageUntil = 0;

	private readonly manner: Manner;

	constructor(manner: Manner) {
		this.manner = manner;
	}

	hold(
		body: IDataObject,
		{ created = Date.now(), landed = created, parent }: Partial<Held> = {},
	): string {
		const id = `${parent ? 'do' : 'ot'}_${randomUUID().slice(0, 8)}${this.held.length}`;
		this.held.push({ id, parent, body, created, landed });
		return id;
	}

	create(body: IDataObject, platform: string, parent?: string): Answer {
		const now = Date.now();
		const marker = String(body.filename ?? body.transaction_name);
		const nth = this.told.filter((line) => line.startsWith(`${marker} `)).length + 1;
		const fate = this.manner.fateOf(marker, nth);
		const { loss, refused, landsAfterMs, strangers } = fate;
		const lands =
			landsAfterMs === undefined ? 'never lands' : `lands after ${Math.round(landsAfterMs)} ms`;
		this.told.push(`${marker} ${refused ? 'is refused' : `${lands}, ${loss ?? 'is answered'}`}`);
		for (const stranger of strangers) this.hold({ ...body, ...stranger }, { parent });
		if (refused) return { status: 422, body: { errors: ['Something is missing'] } };
		let made: IDataObject = {};
		if (landsAfterMs !== undefined) {
			const landed = now + landsAfterMs;
			const id = this.hold(body, { created: landed, landed, parent });
			this.ledger.push({ id, marker, body, wasLost: loss !== undefined, landsAfterMs });
			made = this.shown(this.held.at(-1)!, true);
		}
		if (loss !== undefined) this.outageUntil = now + fate.outageMs;
		if (loss === 'cut') return 'cut';
		if (loss === 'gatewayTimeout') return { status: 504, body: { message: 'Timeout' } };
		if (loss === 'badGateway') return { status: 502, body: PAGE };
		if (loss === 'empty') return { body: {} };
		if (loss === 'page') return { body: PAGE };
		if (loss === 'garbled') return { body: '{"id":"' };
		return { body: parent && platform === 'realEstate' ? [made] : made };
	}

	/** How a look-up fails at present; undefined if it doesn't. */
	outage(): Answer | undefined {
		if (Date.now() >= this.outageUntil) return undefined;
		if (this.manner.outage === 'cut') return 'cut';
		return { status: this.manner.outage === 'page' ? 200 : 503, body: PAGE };
	}

	list(query: URLSearchParams): Answer {
		const start = Date.parse(query.get('created_date_start') ?? '') || 0;
		const [limit, offset] = [Number(query.get('limit') ?? 10), Number(query.get('offset') ?? 0)];
		const listed = this.held.filter((one) => !one.parent && this.isListed(one));
		const found = listed.filter(({ created }) => created > start);
		found.sort((one, other) => (one.created - other.created) * (this.manner.newestFirst ? -1 : 1));
		const data = found.slice(offset, offset + limit).map((one) => this.shown(one, false));
		return { body: { total_count: found.length, count: data.length, data } };
	}

	retrieve(id: string): Answer {
		const one = this.held.find((held) => held.id === id && held.landed <= Date.now());
		if (one === undefined) return { status: 404, body: { errors: ['Transaction Not Found'] } };
		return { body: this.shown(one, true) };
	}

	private isListed({ landed }: Held): boolean {
		return landed + this.manner.lagMs <= Date.now();
	}

	/** An answer, in which nothing is set that was not sent (docs/service/transactions.md). */
	private shown({ id, parent, body, created }: Held, singly: boolean): IDataObject {
		const common = { id, date_created: new Date(created).toISOString() };
		if (parent)
			return {
				...common,
				document_name: body.filename,
				requirement: body.requirement,
				processing_state: 'done',
				bundle_position: 0,
				signing_designations: [],
				...this.reference('tracking_id', body, true),
			};
		const { signer, signers = [signer], transaction_name, transaction_type } = body;
		const documents = this.held.filter((one) => one.parent === id && this.isListed(one));
		return {
			...common,
			status: 'started',
			detailed_status: 'draft',
			transaction_name,
			transaction_type,
			signers: (signers as IDataObject[]).map(signerOf),
			documents: documents.map((one) => this.shown(one, singly)),
			...this.reference('external_id', body, singly),
		};
	}

	private reference(name: string, { [name]: value }: IDataObject, singly: boolean): IDataObject {
		const { shows, hidden } = this.manner;
		if (shows === 'everywhere' || (shows === 'singly' && singly))
			return value === undefined ? {} : { [name]: value };
		return hidden === 'null' ? { [name]: null } : {};
	}
}
