import { useSandbox } from '../../support/useSandbox.mts';
import { playRow, readSheets, type Sheet } from './sheets/playRow.mts';

/** Rows that once filled in what is somebody else's, or were refused for nothing. */

useSandbox();

const FIXTURE = new URL('../../fixtures/rows/found.json', import.meta.url);
const CASES = readSheets<Sheet[]>(FIXTURE).flatMap((sheet) =>
	sheet.rows.map((row) => [row.about, sheet, row] as const),
);

test.each(CASES)('%s', async (_about, sheet, row) => await playRow(sheet, row));
