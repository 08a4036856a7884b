import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { format, resolveConfig } from 'prettier';

import { parseDelivery } from '../../nodes/SignAndClose/resources/webhook/deliveries.ts';
import { toEventOutput } from '../../nodes/SignAndClose/trigger/delivery/output.ts';
import { startSandbox, type Sandbox } from '../../sandbox/index.mts';
import { credentialFor, NODE, runNode, TRIGGER } from '../../test/support/engine.mts';
import { FIXTURES, fixturePath, type Scene } from '../../test/support/matrix/index.mts';
import { finishedClosing } from '../../test/support/matrix/scene.mts';

/**
 * The output schemas, which `npm run generate` writes: what each operation and the trigger give by
 * default, which is simplified. The editor previews those of the operations. n8n's AI builders read
 * that of the trigger, too. n8n looks for a schema in the folder of the node's version.
 */

const SCHEMAS = fileURLToPath(new URL('../../nodes/SignAndClose/__schema__/', import.meta.url));

/** The name of the trigger's schema, which has neither resource nor operation. */
export const TRIGGER_SCHEMA = 'output';

/** Where the schema of an operation or of the trigger is. */
export function schemaFile(name: string): string {
	const { description } = name === TRIGGER_SCHEMA ? TRIGGER : NODE;
	return join(SCHEMAS, `v${String(description.version)}.0.0`, `${name}.json`);
}

/** The schema files that there are now. */
export function schemaFiles(): string[] {
	if (!existsSync(SCHEMAS)) return [];
	return readdirSync(SCHEMAS, { recursive: true })
		.map((file) => join(SCHEMAS, String(file)))
		.filter((file) => file.endsWith('.json'))
		.sort();
}

/** Describes the output of an operation or of the trigger. */
export async function outputSchema(name: string): Promise<object> {
	return name === TRIGGER_SCHEMA ? await triggerSchema() : await operationSchema(name);
}

/** Runs the trigger for a completed closing, and describes the output. */
async function triggerSchema(): Promise<object> {
	const sandbox = await startSandbox();
	try {
		const credential = credentialFor(sandbox.url);
		const { transactionId } = await finishedClosing(sandbox);
		const signer = {
			signer_id: 'oc_1',
			external_id: 'borrower-1',
			first_name: 'Jane',
			last_name: 'Borrower',
			kba_passed: true,
			credential_analysis_passed: true,
			selfie_passed: true,
			full_verification_process_passed: true,
		};
		const at = '2026-01-02T03:04:06.000Z';
		const arrival = { by: 'delivery' as const, at, requestId: 'req-1' };
		const confirmation = { kind: 'confirmed' as const, outdated: false };
		const data = {
			transaction_id: transactionId,
			date_occurred: '2026-01-02T03:04:05.000000Z',
			signers: [signer],
		};
		const delivery = parseDelivery({ event: 'transaction.completed', data })!;
		const json = toEventOutput(delivery, arrival, confirmation, { retrieve: true, form: 'raw' });
		const { items, error } = await runNode({
			type: 'signAndCloseTrigger',
			credential,
			parameters: { events: ['transaction.completed'] },
			items: [{ json: { ...json } }],
		});
		if (error) throw error;
		return { ...schemaOf(items[0].json), version: 1 };
	} finally {
		await sandbox.close();
	}
}

/** Runs the operation for the first item of its fixture, and describes the output. */
async function operationSchema(name: string): Promise<object> {
	const [resource, operation] = name.split('/');
	if (FIXTURES[name] === undefined)
		throw new Error(`${name} is listed, but has no fixture: create ${fixturePath(name)}`);
	const sandbox = await startSandbox();
	try {
		const { parameters, items } = await buildScene(name, sandbox);
		const outcome = await runNode({
			credential: credentialFor(sandbox.url),
			parameters: { ...parameters, resource, operation },
			items: items.slice(0, 1),
		});
		const unknown = sandbox.requests.find(
			({ operationId, status }) => operationId === undefined && status === 404,
		);
		if (unknown !== undefined)
			throw new Error(
				`${name} asked ${unknown.method} ${unknown.path}, which sandbox/openapi.yaml doesn't have: see CONTRIBUTING.md, On a new endpoint`,
			);
		if (outcome.error)
			throw new Error(
				[`${name}: ${outcome.error.message}`, outcome.error.description].filter(Boolean).join('. '),
				{ cause: outcome.error },
			);
		if (outcome.items.length === 0)
			throw new Error(`${name} gave no item for the first item of ${fixturePath(name)}`);
		return { ...schemaOf(outcome.items[0].json), version: 1 };
	} finally {
		await sandbox.close();
	}
}

async function buildScene(name: string, sandbox: Sandbox): Promise<Scene> {
	try {
		return await FIXTURES[name].build(sandbox);
	} catch (thrown) {
		const { message } = thrown as Error;
		throw new Error(`${name}: build in ${fixturePath(name)} failed: ${message}`, { cause: thrown });
	}
}

/** The file that holds the schema of an operation or of the trigger, formatted as Prettier formats it. */
export async function schemaText(name: string): Promise<{ file: string; text: string }> {
	const file = schemaFile(name);
	const text = JSON.stringify(await outputSchema(name), null, '\t');
	const options = { ...(await resolveConfig(file)), filepath: file };
	return { file, text: await format(text, options) };
}

function schemaOf(value: unknown): object {
	if (value === null || value === undefined) return { type: 'null' };
	if (Array.isArray(value))
		return { type: 'array', ...(value.length > 0 && { items: schemaOf(value[0]) }) };
	if (typeof value === 'object')
		return {
			type: 'object',
			properties: Object.fromEntries(
				Object.entries(value).map(([key, entry]) => [key, schemaOf(entry)]),
			),
		};
	return { type: Number.isInteger(value) ? 'integer' : typeof value };
}
