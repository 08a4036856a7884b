import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { fixturePath, FIXTURES, OPERATION_NAMES } from '../../support/matrix/index.mts';

/** The matrix finds the fixture of an operation by its name. */

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));

test('every operation has a fixture, and every fixture an operation', () => {
	const missing = OPERATION_NAMES.filter((name) => FIXTURES[name] === undefined);
	expect(missing.map((name) => `${name} is listed: create ${fixturePath(name)}`)).toEqual([]);
	const wanted = OPERATION_NAMES.map(fixturePath);
	const files = readdirSync(`${ROOT}test/fixtures`, { recursive: true })
		.map((file) => `test/fixtures/${String(file).replaceAll('\\', '/')}`)
		.filter((file) => file.endsWith('.mts') && !wanted.includes(file));
	expect(files.map((file) => `${file} belongs to no listed operation`)).toEqual([]);
});
