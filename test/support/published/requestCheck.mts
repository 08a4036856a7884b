import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';

import type { Description, Operation, Schema } from './description.mts';

/**
 * Judges requests by the schemas of the description, as a strict live service does. What a live
 * service says in words of its own is said in them (docs/service/errors.md).
 */

export interface Refusal {
	status: number;
	text: string;
	/** What the description does not allow; undefined for a rule that is not in it. */
	detail?: string;
}

const TEXTS = {
	domain: 'Typo in domain name. Did you mean: test@gmail.com?',
	email: 'Invalid email format.',
	tooBig: 'File is too big (max is 30MB)',
	bothSigners: 'Use either the signers array or signer/cosigner input fields',
	encoding: 'Invalid encoding',
	parameters: 'invalid request parameters',
	noAgency: 'Email or address is required',
};

export class RequestCheck {
	private readonly ajv = new Ajv2020({ strict: false, allErrors: true });
	private readonly compiled = new Map<Schema, ValidateFunction>();

	private readonly description: Description;

	constructor(description: Description) {
		this.description = description;
		this.ajv.addFormat('date-time', (text) => !Number.isNaN(Date.parse(text)));
		// Its references lead to the components of the whole.
		this.ajv.addSchema({ ...description.document, $id: 'openapi.json' });
	}

	/** What is wrong with a value of a schema of the description; empty when nothing is. */
	errors(schema: Schema, value: unknown): ErrorObject[] {
		let validate = this.compiled.get(schema);
		if (validate === undefined) {
			validate = this.ajv.compile(
				JSON.parse(JSON.stringify(schema).replaceAll('"#/', '"openapi.json#/')),
			);
			this.compiled.set(schema, validate);
		}
		validate(value);
		return validate.errors ?? [];
	}

	/** @returns why a request is refused, or undefined */
	judge(operation: Operation, query: Record<string, string>, body: unknown): Refusal | undefined {
		return this.judgeQuery(operation, query) ?? this.judgeBody(operation, body);
	}

	private judgeQuery({ id, query: known }: Operation, query: Record<string, string>) {
		for (const name of Object.keys(query)) {
			if (!known.some((parameter) => parameter.name === name))
				return refuse(400, `Unknown parameter ${name}`);
		}
		for (const { name, required, schema } of known) {
			const text = query[name];
			if (text === undefined) {
				if (required) return refuse(400, `Missing parameter ${name}`);
				continue;
			}
			const resolved = this.description.resolve(schema);
			const value = readParameter(resolved, text);
			if (name === 'encoding' && !valuesOf(resolved).includes(text))
				return refuse(400, TEXTS.encoding);
			const wrongPage = id === 'listTemplates' && name === 'limit' && !isWithin(value, 1, 1000);
			if (wrongPage || this.errors(schema, value).length > 0)
				return refuse(400, id === 'listTemplates' ? TEXTS.parameters : `Invalid value for ${name}`);
		}
		const address = Object.keys(query).some((name) => name.startsWith('address['));
		if (id === 'listTitleAgencies' && query.email === undefined && !address)
			return { status: 400, text: TEXTS.noAgency };
		return undefined;
	}

	private judgeBody(operation: Operation, body: unknown): Refusal | undefined {
		const sent = body !== undefined && Object.keys(body as object).length > 0;
		if (operation.body === undefined)
			return sent ? refuse(400, 'The request takes no body') : undefined;
		if (!sent) return operation.body.required ? refuse(400, 'The request has no body') : undefined;
		const errors = this.errors(operation.body.schema, body);
		if (errors.length > 0) return describe(operation, errors);
		return this.judgeContent(operation, body as Record<string, any>);
	}

	/** What is not in the schemas. */
	private judgeContent(operation: Operation, body: Record<string, any>): Refusal | undefined {
		const required: string[] = this.description.resolve(operation.body!.schema)['x-required'] ?? [];
		const missing = required.find(
			// Where several sign, there is no single signer.
			(name) => !(name in body) && !(name === 'signer' && 'signers' in body),
		);
		if (missing !== undefined) return refuse(422, `Missing required field ${missing}`);
		const realEstate = operation.tag === 'real estate';
		if (realEstate && 'signers' in body && ('signer' in body || 'cosigner' in body))
			return refuse(422, TEXTS.bothSigners);
		for (const signer of [body.signer, ...(body.signers ?? [])]) {
			if (signer === undefined) continue;
			const checks = signer.assurance_requirement;
			if (checks && checks.knowledge_based_authentication === undefined)
				return refuse(422, 'Missing required field knowledge_based_authentication');
			if (signer.email === undefined) continue;
			if (!/^[^@\s]+@[^@\s]+\.[^@\s]+$/.test(signer.email))
				return { status: 400, text: TEXTS.email };
			if (signer.email.endsWith('@gmial.com')) return { status: 400, text: TEXTS.domain };
			if (((signer.capacity ?? null) === null) !== ((signer.entity ?? null) === null))
				return refuse(422, 'capacity and entity require each other');
		}
		if (String(body.resource ?? body.document ?? '').length > 42_000_000)
			return { status: 422, text: TEXTS.tooBig };
		return undefined;
	}
}

const valuesOf = (schema: Schema): unknown[] => schema.enum ?? schema['x-known-values'] ?? [];

const isWithin = (value: unknown, least: number, most: number) =>
	typeof value === 'number' && value >= least && value <= most;

const refuse = (status: number, text: string): Refusal => ({ status, text, detail: text });

/** A parameter of a query is text; its schema decides what it is read as. */
function readParameter({ type }: Schema, text: string): unknown {
	if ((type === 'integer' || type === 'number') && /^-?\d+(\.\d+)?$/.test(text))
		return Number(text);
	if (type === 'boolean' && /^(true|false)$/.test(text)) return text === 'true';
	return text;
}

const EXPECTED: Record<string, string> = { array: 'Array', object: 'Hash', string: 'String' };

/** The refusal for what the schema of a body does not allow (docs/service/errors.md#wrong-types). */
function describe({ tag, id }: Operation, errors: ErrorObject[]): Refusal {
	const detail = errors
		.map(
			({ instancePath, message, params }) =>
				`${instancePath || '/'} ${message} ${JSON.stringify(params)}`,
		)
		.join('; ');
	const [{ instancePath, keyword, params }] = errors;
	const name = instancePath.split('/').at(-1) || String(params.missingProperty ?? 'body');
	if (id === 'addEnote' && name === 'borrowers' && keyword === 'type')
		return { status: 400, text: 'borrowers argument must be array', detail };
	if (tag === 'webhooks') {
		const expected = name === 'subscriptions' ? 'Array' : 'String';
		return {
			status: 422,
			text: `Invalid value for required field ${name} - expected ${expected}`,
			detail,
		};
	}
	const expected = EXPECTED[String(params.type)];
	return {
		status: 400,
		text: expected === undefined ? detail : `Invalid value for ${name} - expected ${expected}`,
		detail,
	};
}
