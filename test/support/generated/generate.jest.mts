/**
 * The part of `npm run generate` that loads the node's sources. Jest runs it, because Jest knows
 * how to load them (jest.config.mjs); `npm test` does not.
 */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { test } from '@jest/globals';

import { useBinaryMode } from '../engine.mts';
import { readmeWithTable } from './operationsTable.mts';
import { namesOfSchemas, schemaFile, schemaText } from './outputSchemas.mts';
import { servicePages } from './serviceTables.mts';
import { OPERATION_NAMES } from '../matrix/index.mts';

test('everything that is derived from the operations and from the description of the service is written', async () => {
	await useBinaryMode('filesystem');
	// Nothing is written before everything is known.
	const files = [await readmeWithTable(), ...(await servicePages())];
	for (const name of OPERATION_NAMES) files.push(await schemaText(name));
	for (const name of namesOfSchemas())
		if (!OPERATION_NAMES.includes(name)) rmSync(schemaFile(name));
	for (const { file, text } of files) {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, text);
	}
});
