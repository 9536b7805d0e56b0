// Runs the firmware in MicroPython: node on_micropython.mjs INTERPRETER FIRMWARE BENCH NAME BOOT
// Then one line in, one line out; see on_board.py.
import fs from "node:fs";
import path from "node:path";
import readline from "node:readline";

process.on("uncaughtException", (fault) => {
  console.error(fault.message);
  process.exit(1);
});
const [interpreter, firmware, bench, name, boot] = process.argv.slice(2);
const { loadMicroPython } = await import(interpreter);
const mp = await loadMicroPython({ heapsize: 256 * 1024 });
for (const file of ["tlp.py", "faces.py", "die.py", "rotor.py", "imu.py", "as5600.py"])
  mp.FS.writeFile(file, fs.readFileSync(path.join(firmware, file)));
mp.FS.writeFile("on_board.py", fs.readFileSync(bench));
mp.runPython(`import on_board\nimport imu\nimport as5600\nboard = on_board.Board("${name}", ${boot})\nstep = board.step`);
const step = mp.globals.get("step");
for await (const line of readline.createInterface({ input: process.stdin }))
  process.stdout.write(step(line) + "\n");
