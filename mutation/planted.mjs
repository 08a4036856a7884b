/**
 * Changes chosen by hand, each of which a unit test has to notice: `npm run mutation -- --planted`
 * shows whether mutation tests work at all.
 */
export const PLANTED = [
	[
		'transport/http/retry',
		'requestedMs > LONGEST_RETRY_AFTER_MS',
		'requestedMs <= LONGEST_RETRY_AFTER_MS',
	],
	[
		'transport/http/retry',
		'isReading && isRepeatedRead(outcome.status)',
		'isReading || isRepeatedRead(outcome.status)',
	],
	['transport/pace/pace', 'now - at < hangMs', 'now - at >= hangMs'],
	['transport/pace/concurrency', 'limit < this.maximum', 'false'],
	['transport/files/byteBudget', 'this.used + bytes > maximum', 'this.used + bytes <= maximum'],
	['values/plainText', 'text.length <= maximum', 'text.length > maximum'],
	[
		'values/json',
		"typeof value === 'string' && value !== ''",
		"typeof value === 'string' || value !== ''",
	],
	[
		'values/base64',
		"text.replace(/=+$/, '').length % 4 === 1",
		"text.replace(/=+$/, '').length % 4 !== 1",
	],
	['values/comparison', 'actual.length === expected.length', 'true'],
	[
		'values/reference',
		'REFERENCE.test(value) || OF_DOCUMENT.test(value)',
		'REFERENCE.test(value) && OF_DOCUMENT.test(value)',
	],
	['values/times', 'Math.abs(value) < 1e11', 'Math.abs(value) >= 1e11'],
	['run/parameters/texts', 'String(value).trim()', 'String(value)'],
	['run/write/write', 'isLast && absentFrom !== Infinity', 'isLast || absentFrom !== Infinity'],
	['transport/http/statuses', 'status >= 400 && !mayPass', 'status >= 400 || !mayPass'],
	[
		'run/write/memory',
		'stored?.execution === this.execution',
		'stored?.execution !== this.execution',
	],
	[
		'run/itemQueue',
		'this.running.size < this.run.countPlaces()',
		'this.running.size >= this.run.countPlaces()',
	],
	['pdf/syntax/parser', 'value * 10 + bytes[at] - ZERO', 'value * 10 + bytes[at] + ZERO'],
	['pdf/filters/filters', 'left + up - 2 * upperLeft', 'left + up + 2 * upperLeft'],
	['pdf/content/matrix', 'e * A + f * C + E', 'e * A + f * C - E'],
	['pdf/search/phrases', 'Math.max(...gaps)', 'Math.min(...gaps)'],
	['pdf/search/lines', "(INVISIBLE, '')", '(INVISIBLE, "Stryker was here!")'],
].map(([file, text, replacement]) => ({ file, text, replacement }));
