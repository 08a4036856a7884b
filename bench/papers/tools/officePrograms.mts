import { execFileSync } from 'node:child_process';
import { renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Line, Paper } from '../blocks.mts';
import { writeFormattingObjects } from '../formattingObjects.mts';
import { writeHtml } from '../html.mts';
import { readPrintedLines } from './printed.mts';

/** Papers of programs that don't say where they draw. A second reader says where the texts are. */

const run = (command: string, args: string[]) =>
	execFileSync(command, args, {
		stdio: ['ignore', 'pipe', 'pipe'],
		env: { ...process.env, QT_QPA_PLATFORM: 'offscreen' },
	});

export function makeWithLibreOffice({ pages, look }: Paper, path: string, folder: string): Line[] {
	const input = join(folder, 'paper.html');
	writeFileSync(input, writeHtml(pages, look, 'flow'));
	const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
	const filter = ['--infilter=HTML (StarWriter)', '--convert-to', 'pdf:writer_pdf_Export'];
	run('soffice', [profile, '--headless', ...filter, '--outdir', folder, input]);
	renameSync(join(folder, 'paper.pdf'), path);
	return readPrintedLines(path);
}

export function makeWithWkhtmltopdf({ pages, look }: Paper, path: string, folder: string): Line[] {
	const input = join(folder, 'paper.html');
	writeFileSync(input, writeHtml(pages, look, 'sections'));
	const margins = ['-T', '0', '-B', '0', '-L', '0', '-R', '0'];
	run('wkhtmltopdf', ['-q', ...margins, '-s', 'Letter', input, path]);
	return readPrintedLines(path).map((line) => ({ ...line, text: mendQuotes(line.text) }));
}

export function makeWithFop({ pages, look }: Paper, path: string, folder: string): Line[] {
	const input = join(folder, 'paper.fo');
	writeFileSync(input, writeFormattingObjects(pages, look));
	run('fop', ['-q', '-fo', input, '-pdf', path]);
	return readPrintedLines(path);
}

/** Ghostscript reads the lower byte alone of Qt's quotes and dashes. */
const mendQuotes = (text: string): string =>
	text
		.replace(/(?<=\p{L})9/gu, '’')
		.replace(/<(?=\p{L})/gu, '“')
		.replace(/(?<=\p{L})=/gu, '”')
		.replace(/ 3 /g, ' – ');
