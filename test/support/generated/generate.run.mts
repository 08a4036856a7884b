/**
 * The part of `npm run generate` that loads the node's sources. Vitest runs it, because it knows
 * how to load them (vitest.config.mjs); `npm test` does not.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { test } from 'vitest';

import { useBinaryMode } from '../engine.mts';
import { rowsPage } from './headingTables.mts';
import { checkPage } from './checkTable.mts';
import { readmePage } from './readmeTables.mts';
import { schemaFile, schemaFiles, schemaText, TRIGGER_SCHEMA } from './outputSchemas.mts';
import { servicePages } from './serviceTables.mts';
import { storedPage } from './storedInterface.mts';
import { interfaceWithoutStaleReasons } from '../listedInterface.mts';
import { OPERATION_NAMES } from '../matrix/index.mts';

/** A busy machine takes longer than a test of one thing may. */
const GENERATED_WITHIN_MS = 600_000;

test(
	'everything that is derived from the operations and from the description of the service is written',
	async () => {
		await useBinaryMode('filesystem');
		// Nothing is written before everything is known.
		const files = [
			await readmePage(),
			await interfaceWithoutStaleReasons(),
			...(await servicePages()),
			await rowsPage(),
			await checkPage(),
			await storedPage(),
		];
		const named = [...OPERATION_NAMES, TRIGGER_SCHEMA];
		for (const name of named) files.push(await schemaText(name));
		const wanted = named.map(schemaFile);
		for (const file of schemaFiles()) if (!wanted.includes(file)) rmSync(file);
		for (const { file, text } of files) {
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, text);
		}
	},
	GENERATED_WITHIN_MS,
);
