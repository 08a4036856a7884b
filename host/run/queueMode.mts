import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync } from 'node:fs';
import { createServer, request, type Server } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { join } from 'node:path';

import { startHelper, startN8n, type N8nHelper, type RunningN8n } from './n8n.mts';
import { freePort } from './ports.mts';

/**
 * n8n's own distributed engine: a main process, two for webhooks, two workers, with a Redis and a
 * PostgreSQL of its own.
 */

export interface Queue {
	n8n: RunningN8n;
	helpers: N8nHelper[];
	stop(): Promise<void>;
}

/**
 * What is missing for it on this machine, as the command that brings it; undefined when nothing is.
 */
export function missingForQueue(): string | undefined {
	const missing = [
		redisProgram() === undefined ? 'redis-server' : '',
		postgresFolder() === undefined ? 'postgresql' : '',
	].filter((name) => name !== '');
	return missing.length === 0 ? undefined : `sudo apt-get install ${missing.join(' ')}`;
}

function redisProgram(): string | undefined {
	return ['/usr/bin/redis-server', '/usr/local/bin/redis-server'].find((file) => existsSync(file));
}

/** Debian keeps PostgreSQL's programs apart, by version. */
function postgresFolder(): string | undefined {
	const root = '/usr/lib/postgresql';
	if (!existsSync(root)) return undefined;
	return readdirSync(root)
		.map((version) => join(root, version, 'bin'))
		.find((folder) => existsSync(join(folder, 'initdb')));
}

/** PostgreSQL does not run as root. */
const asUser = (): string[] =>
	process.getuid?.() === 0 ? ['runuser', '-u', 'postgres', '--'] : [];

function launch(command: string[], cwd: string): ChildProcess {
	return spawn(command[0], command.slice(1), { cwd, stdio: 'ignore' });
}

async function listening(port: number): Promise<void> {
	for (let tries = 0; tries < 150; tries++) {
		const socket = connect(port, '127.0.0.1');
		const open = await new Promise<boolean>((resolve) =>
			socket.once('connect', () => resolve(true)).once('error', () => resolve(false)),
		);
		socket.destroy();
		if (open) return;
		await new Promise((wake) => setTimeout(wake, 100));
	}
	throw new Error(`Nothing listens at port ${port}`);
}

async function startPostgres(folder: string): Promise<{ port: number; child: ChildProcess }> {
	const programs = postgresFolder();
	if (programs === undefined) throw new Error(missingForQueue());
	const data = join(folder, 'data');
	mkdirSync(data, { recursive: true });
	if (asUser().length > 0) execFileSync('chown', ['-R', 'postgres', folder]);
	const run = (...command: string[]) =>
		execFileSync([...asUser(), ...command][0], [...asUser(), ...command].slice(1), {
			cwd: folder,
			stdio: 'ignore',
		});
	run(join(programs, 'initdb'), '-D', data, '-U', 'n8n', '--auth', 'trust', '--no-sync');
	const port = await freePort();
	const child = launch(
		[
			...asUser(),
			join(programs, 'postgres'),
			'-D',
			data,
			'-p',
			String(port),
			'-c',
			'listen_addresses=127.0.0.1',
			'-c',
			`unix_socket_directories=${folder}`,
			'-c',
			'fsync=off',
		],
		folder,
	);
	await listening(port);
	run(join(programs, 'createdb'), '-h', '127.0.0.1', '-p', String(port), '-U', 'n8n', 'n8n');
	return { port, child };
}

/**
 * Takes calls for webhooks and gives them to the webhook processes in turn, as a load balancer
 * does.
 */
async function startBalancer(targets: () => N8nHelper[]): Promise<{ url: string; server: Server }> {
	let turn = 0;
	const server = createServer((incoming, outgoing) => {
		const list = targets();
		const target = list[turn++ % list.length];
		const onward = request(
			new URL(incoming.url ?? '/', target.url),
			{ method: incoming.method, headers: incoming.headers },
			(answer) => {
				outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
				answer.pipe(outgoing);
			},
		);
		onward.once('error', () => outgoing.writeHead(502).end());
		incoming.pipe(onward);
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, server };
}

/** Starts all of it in a folder of its own. */
export async function startQueue(place: string, tarball: string): Promise<Queue> {
	// PostgreSQL's user has to reach its part of it.
	chmodSync(place, 0o755);
	const redisPort = await freePort();
	const redis = launch(
		[
			redisProgram()!,
			'--port',
			String(redisPort),
			'--bind',
			'127.0.0.1',
			'--save',
			'',
			'--appendonly',
			'no',
		],
		place,
	);
	const postgres = await startPostgres(join(place, 'postgres'));
	await listening(redisPort);
	const webhooks: N8nHelper[] = [];
	const balancer = await startBalancer(() => webhooks);
	const userFolder = join(place, 'n8n');
	const env = {
		EXECUTIONS_MODE: 'queue',
		QUEUE_BULL_REDIS_HOST: '127.0.0.1',
		QUEUE_BULL_REDIS_PORT: String(redisPort),
		DB_TYPE: 'postgresdb',
		DB_POSTGRESDB_HOST: '127.0.0.1',
		DB_POSTGRESDB_PORT: String(postgres.port),
		DB_POSTGRESDB_USER: 'n8n',
		DB_POSTGRESDB_DATABASE: 'n8n',
		N8N_ENCRYPTION_KEY: 'only-for-tests-in-queue-mode',
		// Files of a process are not those of another one.
		N8N_DEFAULT_BINARY_DATA_MODE: 'database',
		N8N_LOG_LEVEL: 'warn',
	};
	const options = { userFolder, env, webhookUrl: balancer.url };
	const n8n = await startN8n({ ...options, tarball });
	webhooks.push(await startHelper('webhook', options), await startHelper('webhook', options));
	const workers = [await startHelper('worker', options), await startHelper('worker', options)];
	const helpers = [...webhooks, ...workers];
	return {
		n8n,
		helpers,
		stop: async () => {
			await Promise.all(helpers.map(async (helper) => await helper.stop()));
			await n8n.stop();
			balancer.server.closeAllConnections();
			balancer.server.close();
			redis.kill();
			postgres.child.kill('SIGINT');
			await new Promise((wake) => setTimeout(wake, 500));
		},
	};
}
