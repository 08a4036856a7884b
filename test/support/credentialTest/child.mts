import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import ts from 'typescript';

/**
 * Runs n8n's own test of a credential: its CredentialsTester, from the n8n of host/. What it takes
 * from n8n's database, which it doesn't get here, is the credential itself; that comes as an
 * argument. A process of its own, because n8n wants to be loaded once, and without Jest.
 *
 * Gets what to do with the values of one credential after another as lines of JSON, and answers each
 * with a line: `test` them, or `open` them as for a node, with n8n's CredentialsHelper.
 */

const ROOT = join(import.meta.dirname, '..', '..', '..');
const TYPE = 'signAndCloseApi';
const require = createRequire(import.meta.url);
const fromN8n = createRequire(join(ROOT, 'host', 'n8n', 'node_modules', 'n8n', 'package.json'));

require.extensions['.ts'] = (module, file) => {
	const { outputText } = ts.transpileModule(readFileSync(file, 'utf8'), {
		compilerOptions: { module: ts.ModuleKind.CommonJS, target: ts.ScriptTarget.ES2022 },
	});
	(module as NodeModule & { _compile(code: string, file: string): void })._compile(
		outputText,
		file,
	);
};

// In the order in which n8n loads them.
fromN8n('reflect-metadata');
const { CredentialsTester } = fromN8n('./dist/services/credentials-tester.service.js');
const { CredentialsHelper } = fromN8n('./dist/credentials-helper.js');
const { NoOp } = fromN8n('n8n-nodes-base/dist/nodes/NoOp/NoOp.node.js');
const { SignAndCloseApi } = require(join(ROOT, 'credentials', 'SignAndCloseApi.credentials.ts'));

const type = new SignAndCloseApi();
const credentialTypes = {
	getByName: () => type,
	getParentTypes: () => [],
	getSupportedNodes: () => [],
};
const credentialsHelper = new CredentialsHelper(credentialTypes, {
	applyOverwrite: (_type: string, data: object) => data,
});
fromN8n('./dist/workflow-execute-additional-data.js').getBase = async () =>
	await Promise.resolve({ credentialsHelper, variables: {} });
const silent = { debug: () => undefined, error: () => undefined };
const tester = new CredentialsTester(
	silent,
	silent,
	credentialTypes,
	{ getByNameAndVersion: () => new NoOp() },
	credentialsHelper,
);

let rest = '';
process.stdin.setEncoding('utf8').on('data', (chunk: string) => {
	const lines = (rest + chunk).split('\n');
	rest = lines.pop()!;
	for (const line of lines) void answer(line);
});

process.stdin.on('end', () => process.exit());

async function answer(line: string): Promise<void> {
	const { act, data } = JSON.parse(line) as { act: 'test' | 'open'; data: object };
	const result: unknown = await (
		act === 'open'
			? credentialsHelper.applyDefaultsAndOverwrites({ variables: {} }, data, TYPE, 'internal')
			: tester.testCredentials('user', TYPE, { id: '1', name: 'Test', type: TYPE, data })
	).catch((thrown: unknown) => ({ status: 'Crash', message: String(thrown) }));
	process.stdout.write(`@${JSON.stringify(result)}\n`);
}
