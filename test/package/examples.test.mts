import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

import { ROOT } from '../../scripts/runtime.mjs';

/** What each example workflow keeps, beside what it does in a real n8n. */

const FOLDER = join(ROOT, 'examples');

/** The operations of the nodes and of the conditions of an example. */
const operationsOf = (name: string) =>
	[...readFileSync(join(FOLDER, name), 'utf8').matchAll(/"operation": "(\w+)"/g)].map(
		([, operation]) => operation,
	);

// n8n ends a regular expression after 250 ms by the clock, so a busy n8n loses an item that matches.
test('no example decides anything by a regular expression', () => {
	const operations = readdirSync(FOLDER).flatMap(operationsOf);
	expect(operations).toContain('equals');
	expect(operations.filter((operation) => /regex$/i.test(operation))).toEqual([]);
});

// n8n retries from the failed node, so a Stop and Error stops again, whatever has come meanwhile.
test('an example that ends in Stop and Error names what goes on from there, and no retry', () => {
	const messages = readdirSync(FOLDER).flatMap((name) => {
		const { nodes } = JSON.parse(readFileSync(join(FOLDER, name), 'utf8')) as {
			nodes: Array<{ type: string; parameters: { errorMessage: string } }>;
		};
		const stops = nodes.filter(({ type }) => type === 'n8n-nodes-base.stopAndError');
		return stops.map(({ parameters }) => parameters.errorMessage);
	});
	expect(messages).toEqual([
		expect.stringMatching(/Nightly reconciliation files what comes later\. A retry .* only stops/),
	]);
});
