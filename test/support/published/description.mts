import { loadOpenapi } from '../../../sandbox/http/openapi.mts';

/**
 * The description of the service (sandbox/openapi.yaml), as the published server uses it: its
 * operations, and the schemas of what they take and answer.
 */

const METHODS = ['get', 'post', 'put', 'patch', 'delete'];

/** A JSON schema, with the x- keywords of the description. */
export type Schema = any;

export interface Operation {
	id: string;
	/** Upper case. */
	method: string;
	/** In the documented layout, with names in braces. */
	path: string;
	tag: 'business' | 'real estate' | 'webhooks';
	query: Array<{ name: string; required: boolean; schema: Schema }>;
	/** Undefined when the operation takes no body. */
	body?: { required: boolean; schema: Schema; multipart: boolean };
	/** The status of success, and the schema of its JSON if it has one. */
	status: number;
	answer?: Schema;
}

export class Description {
	readonly document = loadOpenapi();
	readonly operations: Operation[] = Object.entries<any>(this.document.paths).flatMap(
		([path, item]) =>
			METHODS.filter((method) => item[method] !== undefined).map((method) =>
				this.toOperation(path, method, item),
			),
	);

	/** Follows a reference, if it is one. */
	resolve(part: any): any {
		if (part?.$ref === undefined) return part;
		const found = String(part.$ref)
			.slice(2)
			.split('/')
			.reduce((node, key) => node?.[key.replaceAll('~1', '/')], this.document);
		return this.resolve(found);
	}

	/** The operation of a request, and the values of the names in its path. */
	match(
		method: string,
		path: string,
	): { operation: Operation; params: Record<string, string> } | undefined {
		const given = path.split('/');
		// A path without names goes first: `subscriptions` is no webhook.
		const candidates = this.operations
			.filter((operation) => operation.method === method)
			.sort((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')));
		for (const operation of candidates) {
			const parts = operation.path.split('/');
			if (parts.length !== given.length) continue;
			const names = parts.map((part) => /^\{(\w+)\}$/.exec(part)?.[1]);
			if (!parts.every((part, index) => names[index] !== undefined || part === given[index]))
				continue;
			const params = names.flatMap((name, index) =>
				name === undefined ? [] : [[name, decodeURIComponent(given[index])]],
			);
			return { operation, params: Object.fromEntries(params) as Record<string, string> };
		}
		return undefined;
	}

	private toOperation(path: string, method: string, item: any): Operation {
		const { operationId, tags, parameters = [], requestBody, responses } = item[method];
		const status = Object.keys(responses).find((key) => key.startsWith('2'))!;
		const body = this.resolve(requestBody);
		return {
			id: operationId,
			method: method.toUpperCase(),
			path,
			tag: tags[0],
			query: parameters
				.map((parameter: any) => this.resolve(parameter))
				.filter((parameter: any) => parameter.in === 'query')
				.map(({ name, schema, ...parameter }: any) => ({
					name,
					// A live service requires what the documented request does without.
					required: parameter.required === true || parameter['x-required'] === true,
					schema,
				})),
			...(body !== undefined && {
				body: {
					required: body.required === true,
					schema: body.content['application/json'].schema,
					multipart: body.content['multipart/form-data'] !== undefined,
				},
			}),
			status: Number(status),
			answer: this.resolve(responses[status]).content?.['application/json']?.schema,
		};
	}
}
