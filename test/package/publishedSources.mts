import { execFileSync } from 'node:child_process';
import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '..', '..');

/** The sources of what is published, as Git lists them. */
export const publishedSources = (): string[] =>
	execFileSync('git', ['ls-files', 'nodes', 'credentials'], { cwd: ROOT, encoding: 'utf8' })
		.split('\n')
		.filter((name) => name.endsWith('.ts'));
