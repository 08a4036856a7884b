import { existsSync, readFileSync } from 'node:fs';

import { useBinaryMode } from '../../support/engine.mts';
import {
	outputSchema,
	schemaFile,
	schemaFiles,
	TRIGGER_SCHEMA,
} from '../../../scripts/generated/outputSchemas.mts';
import { expectUpToDate } from '../../support/expectUpToDate.mts';
import { OPERATION_NAMES } from '../../support/matrix/index.mts';

/**
 * The output schemas are what the operations and the trigger really give, by default: simplified.
 * `npm run generate` writes them.
 */

const NAMES = [...OPERATION_NAMES, TRIGGER_SCHEMA];

beforeAll(async () => await useBinaryMode('filesystem'));

test('every operation and the trigger have a schema, and every schema is of one of them', () => {
	expectUpToDate(schemaFiles(), NAMES.map(schemaFile).sort());
});

test.each(NAMES)('%s gives what its schema says', async (name) => {
	const file = schemaFile(name);
	expectUpToDate(
		existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined,
		await outputSchema(name),
	);
});
