// erg: granular matter, from single contacts to dunes. Everything a program may call.
#ifndef ERG_ERG_H
#define ERG_ERG_H

#include "erg/base.h"
#include "erg/body.h"
#include "erg/draw.h"
#include "erg/grain.h"
#include "erg/look.h"
#include "erg/material.h"
#include "erg/mesh.h"
#include "erg/probe.h"
#include "erg/replay.h"
#include "erg/run.h"
#include "erg/sample.h"
#include "erg/scene.h"
#include "erg/sdf.h"
#include "erg/snapshot.h"
#include "erg/terrain.h"
#include "erg/upsample.h"
#include "erg/wall.h"
#include "erg/world.h"

#endif
