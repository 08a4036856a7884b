/** Tells Jest which test files a change needs: those with a test that runs its code, unit tests first. */
const titles = new Map();

module.exports = class MutationSequencer {
	#wanted;

	constructor({ globalConfig }) {
		this.#wanted = new RegExp(globalConfig.testNamePattern ?? '', 'i');
	}

	sort(tests) {
		return tests
			.filter(({ path }) => titles.get(path)?.some((title) => this.#wanted.test(title)) ?? true)
			.sort((one, other) => other.path.localeCompare(one.path));
	}

	cacheResults(_tests, { testResults }) {
		for (const { testFilePath, testResults: tests } of testResults)
			titles.set(
				testFilePath,
				tests.map(({ fullName }) => fullName),
			);
	}
};
