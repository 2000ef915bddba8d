#include "erg/base.h"
#include "erg_config.h"

const char *erg_version(void)
{
    return ERG_CONFIG_VERSION;
}
