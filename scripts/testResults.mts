import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';

import { ROOT } from './runtime.mjs';

/** The counts and the names of what didn't pass, over all checks and runs of Vitest. */
export class Summary {
	passed = 0;
	failed = 0;
	skipped = 0;
	readonly failures: string[] = [];
	readonly skippedTests: string[] = [];

	addPass(): void {
		this.passed += 1;
	}

	addFailure(what: string): void {
		this.failed += 1;
		this.failures.push(what);
	}

	addSkip(what: string): void {
		this.skipped += 1;
		this.skippedTests.push(what);
	}
}

/** As Vitest writes it. */
interface Results {
	testResults: Array<{
		name: string;
		status: string;
		assertionResults: Array<{ fullName: string; status: string }>;
	}>;
}

/** Adds what Vitest wrote. `skipReason` is appended to the skipped tests. */
export function addResults(summary: Summary, outputFile: string, skipReason: string): void {
	if (!existsSync(outputFile)) return;
	const { testResults } = JSON.parse(readFileSync(outputFile, 'utf8')) as Results;
	for (const { name, status, assertionResults } of testResults) {
		const file = relative(ROOT, name);
		// A file that can't be loaded has no tests to count.
		if (status === 'failed' && !assertionResults.some((test) => test.status === 'failed'))
			summary.addFailure(`${file}: couldn't be loaded`);
		for (const test of assertionResults) {
			if (test.status === 'passed') summary.addPass();
			else if (test.status === 'failed') summary.addFailure(`${file}: ${test.fullName}`);
			else summary.addSkip(`${file}: ${test.fullName}${skipReason}`);
		}
	}
}
