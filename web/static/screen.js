// The big screen: it stays awake, and scores grow line by line.

import { stayAwake } from "./awake.js";
import { growScores } from "./grow.js";

stayAwake();
growScores();
