/**
 * How Node.js loads what tests import: the published code, which it can't read as it is (imports
 * without extensions, properties among a constructor's parameters), and n8n-workflow in the one form
 * that n8n's core loads, because classes are compared.
 */
const { createHash } = require('node:crypto');
const { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } = require('node:fs');
const { registerHooks } = require('node:module');
const { join } = require('node:path');
const { fileURLToPath, pathToFileURL } = require('node:url');

const ROOT = join(__dirname, '..', '..');
/** Compiled files by the hash of their source, for all workers and runs. */
const COMPILED = join(ROOT, '.run', 'compiled');
const FOLDERS = ['nodes', 'credentials'].map((name) => `${pathToFileURL(join(ROOT, name)).href}/`);
const WORKFLOW = pathToFileURL(require.resolve('n8n-workflow')).href;

/** The file with the source map of a compiled file, by the path of its source. */
const sourceMaps = new Map();

const isPublished = (url) =>
	url.endsWith('.ts') && FOLDERS.some((folder) => url.startsWith(folder));

/** The published file that an import without an extension means: a file or a folder's index. */
function publishedFile(specifier, parentURL) {
	return [`${specifier}.ts`, `${specifier}/index.ts`]
		.map((path) => new URL(path, parentURL).href)
		.find((url) => existsSync(fileURLToPath(url)));
}

/** Other workers may write the same file now. */
function writeWhole(path, text) {
	writeFileSync(`${path}.${process.pid}`, text);
	renameSync(`${path}.${process.pid}`, path);
}

function compile(file) {
	const source = readFileSync(file, 'utf8');
	const hash = createHash('sha256').update(file).update(source).digest('hex');
	const output = join(COMPILED, `${hash}.mjs`);
	sourceMaps.set(file, `${output}.map`);
	if (!existsSync(output)) {
		const ts = require('typescript');
		const { outputText, sourceMapText } = ts.transpileModule(source, {
			fileName: file,
			compilerOptions: { module: 'esnext', target: 'es2022', sourceMap: true },
		});
		mkdirSync(COMPILED, { recursive: true });
		writeWhole(`${output}.map`, sourceMapText);
		writeWhole(output, outputText);
	}
	return readFileSync(output, 'utf8');
}

registerHooks({
	resolve(specifier, context, next) {
		const { parentURL = '' } = context;
		// Its form as an ES module is for browsers.
		if (specifier === 'n8n-workflow' && /\.m?ts$/.test(parentURL))
			return { url: WORKFLOW, format: 'commonjs', shortCircuit: true };
		const url =
			isPublished(parentURL) && specifier.startsWith('.') && publishedFile(specifier, parentURL);
		return url ? { url, format: 'module', shortCircuit: true } : next(specifier, context);
	},
	load(url, context, next) {
		if (!isPublished(url)) return next(url, context);
		return { format: 'module', source: compile(fileURLToPath(url)), shortCircuit: true };
	},
});

module.exports = { sourceMaps };
