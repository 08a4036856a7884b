import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { formatForm, forms, type Form } from './good/specifications.mts';
import { makeWithPdfLib } from './good/withPdfLib.mts';

/**
 * Makes the papers of test/fixtures: forms, scans and nextTo, each with a truth.json. Nothing here reads a PDF
 * with the package's own reader. It needs a JDK and these packages of Debian: libpdfbox2-java,
 * libitext5-java, libbcpkix-java, libreoffice-writer, python3-reportlab, python3-pikepdf, python3-pil,
 * poppler-utils, ocrmypdf. Run: node bench/papers/forms/make.mts [good] [traps] [scans] [nextTo]
 */

const HERE = import.meta.dirname;
const ROOT = join(HERE, '..', '..', '..');
const FIXTURES = join(ROOT, 'test', 'fixtures');
const JARS = ['pdfbox2', 'fontbox2', 'commons-logging', 'itext5', 'bcprov', 'bcpkix', 'bcutil'];
const CLASSPATH = JARS.map((jar) => `/usr/share/java/${jar}.jar`).join(':');

const run = (program: string, args: string[]): void => {
	execFileSync('nice', ['-n', '15', program, ...args], { stdio: 'inherit' });
};
const runJava = (source: string, args: string[]) =>
	run('java', ['-cp', CLASSPATH, join(HERE, source), ...args]);
const runPython = (source: string, args: string[]) =>
	run('/usr/bin/python3', ['-B', join(HERE, source), ...args]);

const MAKERS: Record<Form['tool'], (pairs: string[], forms: Form[]) => Promise<void> | void> = {
	pdfbox: (pairs) => runJava('good/WithPdfBox.java', pairs),
	itext: (pairs) => runJava('good/WithIText.java', pairs),
	reportlab: (pairs) => runPython('good/with_reportlab.py', pairs),
	libreoffice: (pairs) => runPython('good/with_libreoffice.py', pairs),
	'pdf-lib': async (pairs, all) => {
		for (const [index, form] of all.entries())
			writeFileSync(pairs[2 * index + 1], await makeWithPdfLib(form));
	},
};

/** The name that stands in the file: LibreOffice writes letters other than ASCII as their bytes. */
const nameIn = (tool: Form['tool'], name: string): string =>
	tool !== 'libreoffice'
		? name
		: name.replace(/[^\0-\x7f]/gu, (letter) =>
				Buffer.from(letter).toString('hex').toUpperCase().replace(/../g, '#$&'),
			);

async function makeGood(folder: string): Promise<void> {
	const lines = mkdtempSync(join(tmpdir(), 'forms-'));
	for (const [tool, make] of Object.entries(MAKERS)) {
		const made = forms.filter((form) => form.tool === tool);
		const pairs = made.flatMap((form) => {
			const path = join(lines, `${form.file}.tsv`);
			writeFileSync(path, formatForm(form));
			return [path, join(folder, form.file)];
		});
		await make(pairs, made);
	}
	rmSync(lines, { recursive: true });
	const truth = forms.map(({ file, tool, fields }) => ({
		file,
		tool,
		fields: fields.flatMap(({ name, type, widgets }) =>
			widgets.map((widget, index) => ({
				name: nameIn(tool, name),
				type,
				...widget,
				widget: index,
			})),
		),
	}));
	writeFileSync(join(folder, 'truth.json'), `${JSON.stringify(truth, null, '\t')}\n`);
}

const PARTS: Record<string, [folder: string, make: (folder: string) => Promise<void> | void]> = {
	good: ['forms/good', makeGood],
	traps: ['forms/traps', (folder) => runPython('traps/traps.py', [folder, CLASSPATH])],
	scans: ['scans', (folder) => runPython('labels/scans.py', [folder])],
	nextTo: ['nextTo', (folder) => runPython('labels/next_to.py', [folder])],
};

const chosen = process.argv.slice(2);
for (const name of chosen.length > 0 ? chosen : Object.keys(PARTS)) {
	const [folder, make] = PARTS[name];
	mkdirSync(join(FIXTURES, folder), { recursive: true });
	await make(join(FIXTURES, folder));
	run(join(ROOT, 'node_modules/.bin/prettier'), ['--write', join(FIXTURES, folder, 'truth.json')]);
}
