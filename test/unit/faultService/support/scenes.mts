import type { FaultService } from '../../../support/faultService/service.mts';
import type { AnswerKind, Fault, Json, Target } from '../../../support/faultService/types.mts';
import { samplePdf } from '../../../support/faultService/state/pdf.mts';
import { clientOf, type Call } from './clients.mts';

/** A request that a fault can strike, and how to see afterwards whether it was carried out. */
export interface Scene {
	name: string;
	kind: AnswerKind;
	host: 'api' | 'files';
	write: boolean;
	/** The kind of effect, if it is a write. */
	effect?: string;
	/** Prepares the state, and tells the request. */
	build(service: FaultService, number: number): Promise<Call>;
}

const signers = [{ email: 'ann@example.com', first_name: 'Ann', last_name: 'Able' }];

async function draft(service: FaultService, number: number): Promise<Json> {
	const body = { draft: true, external_id: `scene ${number}`, signers };
	return (await clientOf(service)('POST', '/transactions', body)).json;
}

function request(service: FaultService, method: string, path: string, body?: unknown): Call {
	return {
		method,
		url: service.url + path,
		headers: { ApiKey: service.key, 'Content-Type': 'application/json' },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
	};
}

/** With letters that base64 for URLs writes differently, and two bytes missing to a full group. */
const PDF = Buffer.concat([samplePdf('a lease'), Buffer.from('fbefbefffffffb', 'hex')]);
const RESOURCE = PDF.subarray(0, PDF.length - (PDF.length % 3) - 2).toString('base64');

export const SCENES: Scene[] = [
	{
		name: 'create',
		kind: 'object',
		host: 'api',
		write: true,
		effect: 'transaction.created',
		build: async (service, number) =>
			request(service, 'POST', '/transactions', {
				draft: true,
				external_id: `${number}`,
				signers,
				documents: ['https://example.com/lease.pdf'],
			}),
	},
	{
		name: 'delete',
		kind: 'receipt',
		host: 'api',
		write: true,
		effect: 'transaction.deleted',
		build: async (service, number) =>
			request(service, 'DELETE', `/transactions/${(await draft(service, number)).id}`),
	},
	{
		name: 'list',
		kind: 'page',
		host: 'api',
		write: false,
		build: async (service, number) => {
			await draft(service, number);
			await draft(service, number);
			await draft(service, number);
			return request(service, 'GET', '/transactions?limit=2&offset=1&transaction_status=started');
		},
	},
	{
		name: 'events',
		kind: 'list',
		host: 'api',
		write: false,
		build: async (service, number) => {
			const hook = { url: 'https://example.com/hook', subscriptions: ['*'] };
			const { json } = await clientOf(service)('POST', '/v2/webhooks', hook);
			for (let count = 0; count < 3; count++) await draft(service, number);
			return request(service, 'GET', `/v2/webhooks/${json.id}/events?limit=2&offset=1`);
		},
	},
	{
		name: 'content',
		kind: 'encoded',
		host: 'api',
		write: false,
		build: async (service, number) => {
			const path = `/transactions/${(await draft(service, number)).id}/documents`;
			const { json } = await clientOf(service)('POST', path, { resource: RESOURCE });
			return request(service, 'GET', `${path}/${json.id}?encoding=base64`);
		},
	},
	{
		name: 'file',
		kind: 'file',
		host: 'files',
		write: false,
		build: async (service, number) => {
			const { id } = await draft(service, number);
			const call = clientOf(service);
			await call('POST', `/transactions/${id}/documents`, { resource: RESOURCE });
			service.complete(id);
			const { json } = await call('GET', `/transactions/${id}`);
			return { method: 'GET', url: json.documents[0].final_document_url };
		},
	},
];

/** The first scene that a fault can strike. */
export function sceneFor(fault: Fault): Scene {
	const fits = (scene: Scene) => {
		const method = scene.write ? 'POST' : 'GET';
		const target: Target = {
			...scene,
			method,
			path: '/',
			hasBody: scene.name === 'create',
			key: 'k',
		};
		return fault.appliesTo(target);
	};
	const found = SCENES.find(fits);
	if (!found) throw new Error(`No scene fits ${fault.name}`);
	return found;
}
