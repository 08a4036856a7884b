import { readdirSync } from 'node:fs';

import { useSandbox } from '../../support/useSandbox.mts';
import { playRow, readSheets, type Sheet } from './sheets/playRow.mts';

/** Plays each row of each sheet of sheets/ alone, as sheets/README.md says. */

useSandbox();

const FOLDER = new URL('sheets/', import.meta.url);
const files = readdirSync(FOLDER).filter((name) => name.endsWith('.json'));
const CASES = files.flatMap((file) => {
	const sheet = readSheets<Sheet>(new URL(file, FOLDER));
	const name = file.replace('.json', '');
	return sheet.rows.map((row) => [`${name}: ${row.about}`, sheet, row] as const);
});

test.each(CASES)('%s', async (_name, sheet, row) => await playRow(sheet, row));
