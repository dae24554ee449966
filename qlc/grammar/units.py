from __future__ import annotations
from fractions import Fraction
_U={"B":("data",1),"kB":("data",1000),"MB":("data",10**6),"GB":("data",10**9),"TB":("data",10**12),"KiB":("data",1024),"MiB":("data",2**20),"GiB":("data",2**30),"bytes":("data",1),
"ms":("time",Fraction(1,1000)),"seconds":("time",1),"minutes":("time",60),"hours":("time",3600),"days":("time",86400),"weeks":("time",604800),
"m":("length",1),"km":("length",1000),"miles":("length",Fraction(1609344,1000)),"ft":("length",Fraction(3048,10000)),"%":("ratio",Fraction(1,100)),"fraction":("ratio",1)}
_S={"b":"B","kb":"kB","mb":"MB","gb":"GB","tb":"TB","kib":"KiB","mib":"MiB","gib":"GiB","ms":"ms","s":"seconds","sec":"seconds","second":"seconds","seconds":"seconds","min":"minutes","minute":"minutes","minutes":"minutes","h":"hours","hour":"hours","hours":"hours","d":"days","day":"days","days":"days","week":"weeks","weeks":"weeks","m":"m","km":"km","mi":"miles","mile":"miles","miles":"miles","ft":"ft","%":"%","bytes":"bytes","fraction":"fraction"}
def canonical(u): return _S.get(u.lower())
def convert(a,b):
    a=_S.get(a.lower(),a); b=_S.get(b.lower(),b)
    if a not in _U or b not in _U or _U[a][0]!=_U[b][0]: return None
    return Fraction(_U[a][1])/Fraction(_U[b][1])
def units_like(u):
    u=_S.get(u.lower(),u); return [k for k,v in _U.items() if u in _U and v[0]==_U[u][0]]
