import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { format, resolveConfig } from 'prettier';

import { operations } from '../../../nodes/SignAndClose/operations/index.ts';
import { readDelivery } from '../../../nodes/SignAndClose/service/resources/deliveries.ts';
import { toOutput } from '../../../nodes/SignAndClose/trigger/outputV2.ts';
import { startSandbox, type Sandbox } from '../../../sandbox/index.mts';
import { credentialFor, NODE, runNode } from '../engine.mts';
import { FIXTURES, fixturePath, type Scene } from '../matrix/index.mts';
import { finishedClosing } from '../matrix/scene.mts';

/**
 * The output schemas, which `npm run generate` writes: what each operation and the trigger give by
 * default, which is simplified. The editor previews those of the operations and asks for exactly the
 * version of the node, so each version has all of them. n8n's AI builders read that of the trigger,
 * too.
 */

const FOLDER = fileURLToPath(new URL('../../../nodes/SignAndClose/__schema__/', import.meta.url));

/** The versions of the nodes. */
export const NODE_VERSIONS = [NODE.description.version].flat();

/** The name of the trigger's schema, which has neither resource nor operation. */
export const TRIGGER_SCHEMA = 'output';

const folderOf = (version: number) => join(FOLDER, `v${version}.0.0`);

/** Where the schema of an operation or of the trigger is. */
export const schemaFile = (name: string, version: number) =>
	join(folderOf(version), `${name}.json`);

/** The names that have a schema file now: resource/value, and that of the trigger. */
export function namesOfSchemas(version: number): string[] {
	const folder = folderOf(version);
	if (!existsSync(folder)) return [];
	return readdirSync(folder, { recursive: true })
		.map((file) => String(file).replaceAll('\\', '/'))
		.filter((file) => file.endsWith('.json'))
		.map((file) => file.slice(0, -'.json'.length))
		.sort();
}

/**
 * Describes the output of an operation or of the trigger in each version of the node. Where no field
 * depends on the version, neither does the output.
 */
export async function outputSchemas(name: string): Promise<Map<number, object>> {
	if (name === TRIGGER_SCHEMA) return await triggerSchemas();
	const [resource, value] = name.split('/');
	const { properties } = operations.find(
		(operation) => operation.resource === resource && operation.value === value,
	)!;
	const schemas = new Map<number, object>();
	const depends = JSON.stringify(properties).includes('"@version"');
	for (const version of NODE_VERSIONS)
		schemas.set(
			version,
			(depends ? undefined : [...schemas.values()][0]) ?? (await outputSchema(name, version)),
		);
	return schemas;
}

/** Runs the trigger for a completed closing, and describes the output. */
async function triggerSchemas(): Promise<Map<number, object>> {
	const sandbox = await startSandbox();
	try {
		const credential = credentialFor(sandbox.url);
		const { transactionId } = await finishedClosing(sandbox);
		const dated = { transaction_id: transactionId, date_occurred: '2026-01-02T03:04:05.000000Z' };
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
		const arrival = { by: 'delivery' as const, at, requestId: 'req-1', headers: {} };
		const confirmation = { kind: 'confirmed' as const, outdated: false };
		const schemas = new Map<number, object>();
		for (const typeVersion of NODE_VERSIONS) {
			const settings = { typeVersion, retrieve: true, form: 'raw' as const };
			// Only version 2 outputs what an event says of signers.
			const data = typeVersion < 2 ? dated : { ...dated, signers: [signer] };
			const delivery = readDelivery({ event: 'transaction.completed', data })!;
			const json = toOutput(delivery, arrival, confirmation, settings);
			const { items, error } = await runNode({
				type: 'signAndCloseTrigger',
				credential,
				parameters: { events: ['transaction.completed'] },
				items: [{ json: { ...json } }],
				node: { typeVersion },
			});
			if (error) throw error;
			schemas.set(typeVersion, { ...schemaOf(items[0].json), version: 1 });
		}
		return schemas;
	} finally {
		await sandbox.close();
	}
}

/** Runs the operation for the first item of its fixture, and describes the output. */
async function outputSchema(name: string, typeVersion: number): Promise<object> {
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
			node: { typeVersion },
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

/** The files that hold the schemas of an operation, formatted as Prettier formats them. */
export async function schemaTexts(name: string): Promise<Array<{ file: string; text: string }>> {
	const files = [];
	for (const [version, schema] of await outputSchemas(name)) {
		const file = schemaFile(name, version);
		const text = JSON.stringify(schema, null, '\t');
		const options = { ...(await resolveConfig(file)), filepath: file };
		files.push({ file, text: await format(text, options) });
	}
	return files;
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
