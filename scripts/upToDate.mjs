import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/**
 * A digest of the contents of files. An input that is no file counts with its text: a version or
 * the name of a missing file.
 */
function digestOf(inputs) {
	const hash = createHash('sha256');
	for (const input of inputs)
		hash.update(existsSync(input) ? readFileSync(input) : input).update('\0');
	return hash.digest('hex');
}

/**
 * Runs `work` unless it has run for the same inputs before and its result still exists.
 * @param stamp the file that remembers the digest of the inputs
 */
export async function runIfOutdated(stamp, inputs, resultExists, work) {
	if (resultExists() && existsSync(stamp) && readFileSync(stamp, 'utf8') === digestOf(inputs))
		return;
	await work();
	mkdirSync(dirname(stamp), { recursive: true });
	// The digest is taken now, because npm may have rewritten its lock file.
	writeFileSync(stamp, digestOf(inputs));
}
