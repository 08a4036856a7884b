/**
 * `npm run mutation`: changes the code in thousands of ways and runs the tests on each, to see which
 * changes no test notices (mutation tests, with Stryker). Works in a copy, a group of files at a
 * time, and keeps each group's report for as long as neither code nor tests change. Prints the score
 * of each group and what survived.
 */
import { spawnSync } from 'node:child_process';
import {
	cpSync,
	existsSync,
	mkdirSync,
	readFileSync,
	rmSync,
	symlinkSync,
	writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parseArgs } from 'node:util';

import jestConfig from '../../jest.config.mjs';
import { PLANTED } from '../../mutation/planted.mjs';
import { installRuntime } from '../install.mjs';
import {
	isInterrupted,
	printLine,
	runLogged,
	runScript,
	runStep,
	showProgress,
} from '../progress.mjs';
import { NODE_BINARY, nodeEnvironment, ROOT, RUN_DIR } from '../runtime.mjs';
import { runIfOutdated } from '../upToDate.mjs';

const TOOLS = join(ROOT, 'mutation');
// Elsewhere, because n8n's linter would read its changed code as the project's.
const COPY = join(tmpdir(), 'sign-and-close-mutation');
const REPORTS = join(RUN_DIR, 'results', 'mutation');

const CODE = 'nodes/SignAndClose';
const ENGINE = 'test/engine';
/** What is changed together, and the tests that are about it. */
const GROUPS = {
	// The rules that promises hang on: what is sent again, which item runs, what becomes of a lost
	// answer, whom the trigger believes.
	rules: {
		mutate: [
			'run/{runItems,itemQueue,goals,write/*}',
			'{transport/http/{retry,statuses},resources/transaction/ifExists/creation}',
			'trigger/{authenticity,delivery/filter,delivery/deduplication}',
		],
		tests: [
			'test/unit/{run,transport/http,trigger}/**/*',
			'test/unit/{form,resources/transaction}/**/*',
			`${ENGINE}/{run,trigger/confirmation,trigger/deduplication}/*`,
			`${ENGINE}/trigger/{execute,gaps,webhook}*`,
			`${ENGINE}/transaction/{created,rows,shownWrites,states}*`,
		],
	},
	core: {
		mutate: ['{run,messages}/**/*'],
		tests: [
			'test/unit/{run,messages}/**/*',
			`${ENGINE}/{run,messages,shared}/*`,
			`${ENGINE}/transport/{limits,pace,request,streaming}*`,
			`${ENGINE}/{document,transaction,webhook}/*`,
		],
	},
	trigger: {
		mutate: ['trigger/**/*'],
		tests: [
			'test/unit/trigger/**/*',
			`${ENGINE}/trigger/**/*`,
			`${ENGINE}/hostile/deliveries*`,
			`${ENGINE}/secrets/trigger*`,
		],
	},
	pace: {
		mutate: ['transport/pace/*'],
		tests: ['test/unit/transport/pace/**/*', `${ENGINE}/transport/pace*`],
	},
	transport: {
		mutate: ['transport/{request,http,files}/*'],
		tests: [
			'test/unit/transport/{request,http,files,fileDownload}/*',
			`${ENGINE}/{credentials,run,transport}/*`,
			`${ENGINE}/document/downloads*`,
		],
	},
	values: {
		mutate: ['{values,transport/failure}/*'],
		tests: [
			'test/unit/{run,messages,resources,transport,values}/**/*',
			`${ENGINE}/shared/input*`,
			`${ENGINE}/transaction/create*`,
		],
	},
	resources: {
		mutate: [
			'resources/{*/{api,goals,input,output},transaction/ifExists/creation}',
			'resources/document/{comparison,downloads,places/*}',
			'resources/webhook/{deliveries,events,completion}',
			'resources/transaction/{list/*,change/*}',
		],
		tests: [
			'test/unit/{resources,transport/answers}/**/*',
			`${ENGINE}/{address,document,enote,notarizationRecord,shared,signer,transaction,webhook}/*`,
			`${ENGINE}/run/unknownOutcomes*`,
			`${ENGINE}/trigger/{eventLog,webhookMethods}/**/*`,
		],
	},
	links: {
		mutate: ['transport/{links/*,fileDownload/*}'],
		tests: [
			'test/unit/transport/{links/*,files/*}',
			'test/unit/{form/locators,run/parameters/params}*',
			`${ENGINE}/hostile/answers*`,
			`${ENGINE}/{document,enote,notarizationRecord}/*`,
			`${ENGINE}/trigger/execute*`,
		],
	},
	service: {
		mutate: ['{run/write/*,transport/{client,answers/*,service/*}}'],
		tests: [
			'test/unit/{resources,run/outcome,transport}/**/*',
			`${ENGINE}/{address,document,enote,notarizationRecord,shared,signer,transaction,webhook}/*`,
			`${ENGINE}/transport/{limits,pace,request,streaming}*`,
		],
	},
};
/** Tests that wait for a second and more. Each survivor would wait, too. */
const TESTS_SKIPPED = [
	'unreachable',
	'left for the next check',
	'takes as long as it moves',
	'that stalls ends with an outcome',
	'does not take for ever',
	'without transactions, in all three layouts',
];
/** Errors and ignored changes count neither for nor against. */
const DETECTED = ['Killed', 'Timeout'];
const UNDETECTED = ['Survived', 'NoCoverage'];
const USAGE = `Usage: npm run mutation [-- --only <group>] [--concurrency <n>] [--survivors]
       npm run mutation -- --planted
Groups: ${Object.keys(GROUPS).join(', ')}`;

/** The place of a planted change, as Stryker takes it. */
function rangeOf({ file, text }) {
	const before = readFileSync(join(ROOT, CODE, `${file}.ts`), 'utf8').split(text);
	if (before.length !== 2) throw new Error(`${file}.ts has to have this once: ${text}`);
	const lines = before[0].split('\n');
	const column = lines.at(-1).length;
	return `${file}:${lines.length}:${column}-${lines.length}:${column + text.length}`;
}

async function install() {
	await installRuntime();
	await runIfOutdated(
		join(TOOLS, 'node_modules', '.stamp'),
		[join(TOOLS, 'package-lock.json')],
		() => existsSync(join(TOOLS, 'node_modules', '@stryker-mutator', 'jest-runner')),
		async () =>
			await runStep('Installing Stryker', 'npm', ['ci'], { cwd: TOOLS, env: nodeEnvironment() }),
	);
}

/** The project's files in some folders, or all of them. */
function filesOf(...folders) {
	const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard', ...folders], {
		cwd: ROOT,
		encoding: 'utf8',
		maxBuffer: 2 ** 28,
	});
	return stdout
		.split('\n')
		.filter((file) => file !== '' && existsSync(join(ROOT, file)))
		.sort();
}

/** Copies the project, so that Stryker changes nothing here. */
function copyProject() {
	rmSync(COPY, { recursive: true, force: true });
	for (const file of filesOf()) cpSync(join(ROOT, file), join(COPY, file));
	for (const folder of ['node_modules', 'host/n8n/node_modules', 'mutation/node_modules'])
		symlinkSync(join(ROOT, folder), join(COPY, folder));
}

function writeConfig(group, concurrency) {
	const config = {
		inPlace: true,
		mutate: GROUPS[group].mutate.map((files) => `${CODE}/${files.replace(/:|$/, '.ts$&')}`),
		ignorePatterns: ['host/n8n/node_modules', 'mutation/node_modules', 'docs', 'examples', 'bench'],
		packageManager: 'npm',
		tsconfigFile: 'none',
		plugins: [join(TOOLS, 'node_modules/@stryker-mutator/jest-runner/dist/src/index.js')],
		testRunner: 'jest',
		jest: {
			config: {
				...jestConfig.projects[0],
				projects: [],
				testRegex: [],
				testMatch: GROUPS[group].tests.map((files) => `<rootDir>/${files}.test.mts`),
				runtime: '<rootDir>/mutation/runtime.cjs',
				testEnvironment: join(COPY, 'mutation', 'environment.cjs'),
				testSequencer: '<rootDir>/mutation/sequencer.cjs',
			},
			enableFindRelatedTests: false,
		},
		testRunnerNodeArgs: ['--disable-warning=ExperimentalWarning'],
		// Each run loads its test files again, and nothing forgets them.
		maxTestRunnerReuse: 200,
		coverageAnalysis: 'perTest',
		// What runs while a module is loaded would need a new process for each change.
		ignoreStatic: true,
		concurrency,
		timeoutMS: 8000,
		timeoutFactor: 2,
		dryRunTimeoutMinutes: 20,
		reporters: ['json', 'progress-append-only'],
		jsonReporter: { fileName: reportOf(group) },
	};
	const file = join(COPY, 'stryker.conf.json');
	writeFileSync(file, JSON.stringify(config, null, '\t'));
	return file;
}

const reportOf = (group) => join(REPORTS, `${group}.json`);

async function mutate(group, concurrency) {
	const report = reportOf(group);
	mkdirSync(dirname(report), { recursive: true });
	const inputs = filesOf(
		'nodes',
		'credentials',
		'test',
		'sandbox',
		'mutation',
		'scripts/reliability/mutation.mjs',
	);
	await runIfOutdated(
		join(REPORTS, `${group}.stamp`),
		inputs.map((file) => join(ROOT, file)),
		() => existsSync(report),
		async () =>
			await showProgress(`Mutation tests of '${group}'`, async () => {
				copyProject();
				rmSync(report, { force: true });
				const stryker = join(TOOLS, 'node_modules/@stryker-mutator/core/bin/stryker.js');
				const { code, log } = await runLogged(
					`mutation ${group}`,
					NODE_BINARY,
					[stryker, 'run', writeConfig(group, concurrency)],
					{
						cwd: COPY,
						env: { ...nodeEnvironment(), MUTATION_SKIPPED: TESTS_SKIPPED.join('|') },
					},
				);
				if (code !== 0 || !existsSync(report)) throw new Error(`Stryker failed: see ${log}`);
			}),
	);
	return Object.entries(JSON.parse(readFileSync(report, 'utf8')).files).flatMap(
		([file, { mutants, source }]) => {
			const lines = source.split('\n');
			return mutants.map((mutant) => {
				const { start, end } = mutant.location;
				const code = lines[start.line - 1];
				return {
					...mutant,
					place: `${file}:${start.line}`,
					code: code.trim(),
					text: code.slice(start.column - 1, end.column - 1),
				};
			});
		},
	);
}

const numberOf = (mutants, statuses) =>
	mutants.filter(({ status }) => statuses.includes(status)).length;

function scoreOf(mutants) {
	const detected = numberOf(mutants, DETECTED);
	const undetected = numberOf(mutants, UNDETECTED);
	return `${((100 * detected) / (detected + undetected)).toFixed(1)} % (${detected} of ${detected + undetected})`;
}

/** @returns the exit code: whether all planted changes were noticed */
async function showPlanted(concurrency) {
	GROUPS.planted = {
		mutate: PLANTED.map(rangeOf),
		tests: ['test/unit/{pdf,run,transport,values}/**/*'],
	};
	const mutants = await mutate('planted', concurrency);
	const missed = PLANTED.filter(
		({ file, text, replacement }) =>
			!mutants.some(
				(one) =>
					one.place.startsWith(`${CODE}/${file}.ts:`) &&
					one.text === text &&
					one.replacement === replacement &&
					DETECTED.includes(one.status),
			),
	);
	for (const { file, text, replacement } of missed)
		printLine(`  Not noticed: ${file}\n    ${text}\n    -> ${replacement}`);
	printLine(`Planted: ${PLANTED.length - missed.length} of ${PLANTED.length} noticed`);
	return missed.length === 0 ? 0 : 1;
}

async function main() {
	const { only, concurrency, survivors, planted } = parseArgs({
		options: {
			only: { type: 'string', multiple: true, default: Object.keys(GROUPS) },
			concurrency: { type: 'string', default: '2' },
			survivors: { type: 'boolean', default: false },
			planted: { type: 'boolean', default: false },
		},
	}).values;
	if (only.some((group) => GROUPS[group] === undefined)) throw new Error(USAGE);
	await install();
	if (planted) return await showPlanted(Number(concurrency));
	const all = [];
	for (const group of only) {
		if (isInterrupted()) return;
		const mutants = await mutate(group, Number(concurrency));
		all.push(...mutants);
		printLine(`${group}: ${scoreOf(mutants)}, static ${numberOf(mutants, ['Ignored'])}`);
		if (survivors)
			for (const { status, place, mutatorName, replacement, code } of mutants)
				if (UNDETECTED.includes(status))
					printLine(`  ${status} ${place} ${mutatorName}\n    ${code}\n    -> ${replacement}`);
	}
	printLine(`All: ${scoreOf(all)}, static ${numberOf(all, ['Ignored'])}`);
}

runScript(main);
