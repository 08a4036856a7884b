/** Compares something generated with what it should be; when it differs, says what to do. */
export function expectUpToDate(actual: unknown, expected: unknown): void {
	try {
		expect(actual).toEqual(expected);
	} catch (thrown) {
		const { message } = thrown as Error;
		throw new Error(`Not up to date. If the change is intended: npm run generate\n\n${message}`);
	}
}
