import { networkContract } from "../../src/testing/network.ts";
import { scenes } from "./scenes.ts";

for (const { adapter, contract } of scenes) networkContract({ adapter: adapter(), ...contract });
