import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { RESOURCES } from '../../nodes/SignAndClose/run/operation.ts';
import { operations } from '../../nodes/SignAndClose/resources/index.ts';
import { buildGroupedOptions } from '../../nodes/SignAndClose/resources/webhook/events.ts';
import { generatedPage, tableOf, type Page } from './page.mts';

/** The README's tables of operations, events and n8n versions, which `npm run generate` writes. */

const README = fileURLToPath(new URL('../../README.md', import.meta.url));
const COMPATIBILITY = new URL('../../host/compatibility.json', import.meta.url);

const operationsTable = () =>
	tableOf([
		['Resource', 'Operation', 'What it does'],
		...operations
			.map(({ resource, name, description }) => [RESOURCES[resource], name, description])
			.sort(([...one], [...other]) => (one.join(' | ') < other.join(' | ') ? -1 : 1)),
	]);

/** A row for each group, with the names of its events as the list to choose from shows them. */
function eventsTable(): string {
	const names = buildGroupedOptions()
		.map(({ name }) => name.split(': '))
		.filter((parts) => parts.length === 2 && parts[1] !== 'All Its Events');
	const groups = [...new Set(names.map(([group]) => group))];
	return tableOf([
		['Group', 'Events'],
		...groups.map((group) => [
			group,
			names
				.filter(([other]) => other === group)
				.map(([, name]) => name)
				.join(', '),
		]),
	]);
}

/** What `npm run compatibility` has found. */
function compatibilityTable(): string {
	const results = JSON.parse(readFileSync(COMPATIBILITY, 'utf8')) as Array<{
		n8n: string;
		passed: number;
		total: number;
	}>;
	return tableOf([
		['n8n', 'Tests of all examples'],
		...results.map(({ n8n, passed, total }) => [n8n, `${passed} of ${total} passed`]),
	]);
}

const TABLES: Record<string, () => string> = {
	operations: operationsTable,
	events: eventsTable,
	compatibility: compatibilityTable,
};

/** The README now, and as it should be. */
export async function readmePage(): Promise<Page> {
	return await generatedPage(README, (name) => TABLES[name]());
}
