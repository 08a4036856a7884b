/**
 * What `npm run build` does: clean, compile, copy what tsc does not (icons, codex files, output
 * schemas). `n8n-node build` has to give the same result without the codex files; the tests check
 * both.
 */
const { execFile } = require('node:child_process');
const { rm } = require('node:fs/promises');
const { dest, series, src } = require('gulp');

async function clean() {
	await rm('dist', { recursive: true, force: true });
}

function compile(done) {
	execFile(
		process.execPath,
		[require.resolve('typescript/bin/tsc'), '-p', 'tsconfig.json'],
		(failure, stdout) => {
			if (stdout) process.stderr.write(stdout);
			done(failure);
		},
	);
}

function copyStatic() {
	return src(['icons/*.svg', 'nodes/**/*.node.json', 'nodes/**/__schema__/**/*.json'], {
		base: '.',
		encoding: false,
	}).pipe(dest('dist'));
}

exports.clean = clean;
exports.build = series(clean, compile, copyStatic);
exports.default = exports.build;
