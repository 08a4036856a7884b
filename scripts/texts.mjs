/**
 * `npm run texts`: lists every text of the nodes, the credential, their messages, the sandbox's console
 * and the terminal, each once, with a number and where it is, for somebody who reads all of them.
 */
import { runProgram } from './jest/run.mjs';

const { status, stdout, stderr } = runProgram(['scripts/texts/list.mts']);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = status ?? 1;
